import type { Desk } from "@askbox/core";
import { newVapidKey, type PushBrowser, startNotify } from "@askbox/notify";
import { pushService } from "@askbox/notify/testing";
import { expect, onTestFinished, test } from "vitest";
import { discordChat } from "./support/discord-service.ts";
import { question, scene } from "./support/scene.ts";
import { slackChat } from "./support/slack-service.ts";
import { telegramChat } from "./support/telegram-service.ts";

const contenders = ["web", "terminal", "chat", "push"] as const;
type Contender = (typeof contenders)[number];
const names = { web: "Grace", terminal: "Linus", chat: "Ada", push: "Eve" } as const;

/** The orders in which they can arrive. */
const orders = (left: readonly Contender[]): Contender[][] =>
  left.length === 0 ? [[]] : left.flatMap((first) => orders(left.filter((each) => each !== first)).map((rest) => [first, ...rest]));

/** Holds every answer just before the broker gets it, until all are there; then lets them through at once, in an order. */
function startingLine() {
  const waiting = new Map<Contender, () => void>();
  return {
    waiting,
    behind: (who: Contender, desk: Desk): Desk =>
      Object.assign(Object.create(desk), {
        attend: (id: string) => desk.attend(id),
        get: (id: string) => desk.get(id),
        async answer(...args: Parameters<Desk["answer"]>) {
          await new Promise<void>((resolve) => waiting.set(who, resolve));
          return desk.answer(...args);
        },
      }),
    go(order: readonly Contender[]) {
      for (const who of order) waiting.get(who)?.();
      waiting.clear();
    },
  };
}

// promise: chat-race-one-winner
test.each([telegramChat, slackChat, discordChat])(
  "a browser, a terminal, $title and a push answer at the same moment: one wins, and the others are told who",
  async (chat) => {
    const its = await scene(chat, { starts: false });
    const { broker, service, until, clock, desk } = its;
    const line = startingLine();
    const deskAt = (who: Contender, surface: string) => line.behind(who, broker.desk({ surface, name: names[who] }));
    await its.open({ deskOf: (surface) => deskAt("chat", surface) });
    const pushes = pushService();
    const browser: PushBrowser = { id: "phone", name: "Phone", person: names.push, push: { ...pushes.subscribe("phone"), allow: false } };
    const key = newVapidKey();
    const notify = await startNotify({
      desk: broker.desk({ surface: "api" }),
      clock,
      log: () => {},
      remote: {
        targets: [],
        fetch: pushes.fetch,
        push: {
          key: async () => key,
          browsers: () => [browser],
          forget: async () => {},
          showText: true,
          answerAs: () => deskAt("push", "web"),
        },
      },
    });
    onTestFinished(() => notify.close());
    const [web, terminal] = [deskAt("web", "web"), deskAt("terminal", "terminal")];

    // Each of them is first twice.
    for (const order of orders(contenders).filter((_, index) => index % 3 === 0)) {
      const { id, message } = await its.posted({ title: `Deploy: ${order.join(", ")}`, questions: [question("confirm")] });
      const push = await until(() => pushes.of("phone").find((each) => each.id === id && each.ended === undefined), 25_000);
      const told = service.told.length;
      const answers = { answers: [{ questionId: "q_1", values: ["yes"] }] };
      const said = (desk: Desk) =>
        desk.answer(id, answers).then(
          () => "Sent.",
          (error: Error) => error.message,
        );
      service.press(message, "Yes");
      const results = {
        web: said(web),
        terminal: said(terminal),
        push: notify.push?.press("phone", push.buttons?.find(({ label }) => label === "No")?.token ?? ""),
      };
      await until(() => line.waiting.size === contenders.length, 1_000);
      line.go(order);
      const [first] = order;
      const winner = first ?? "web";
      const { by } = (await until(async () => (await desk.get(id)).outcome, 1_000)) ?? {};
      expect(by).toMatchObject({ name: names[winner] });
      for (const who of ["web", "terminal"] as const)
        expect(await results[who]).toEqual(who === winner ? "Sent." : expect.stringContaining(names[winner]));
      expect(await results.push).toEqual(
        winner === "push"
          ? { status: "taken", isRepeated: false }
          : { status: "refused", why: expect.stringMatching(`^Your press came too late\\. Answered by ${names[winner]}`) },
      );
      await until(() => message.text.includes(`Answered by ${names[winner]}`), 2_000);
      if (winner !== "chat") {
        await until(() => service.told.length > told, 2_000);
        expect(service.told.at(-1)).toMatch(`Your answer came too late: answered by ${names[winner]}`);
      }
      expect((await desk.get(id)).outcome).toMatchObject({
        by: { name: names[winner] },
        answers: [{ values: [winner === "push" ? "no" : "yes"] }],
      });
    }
  },
);
