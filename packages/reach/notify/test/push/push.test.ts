import { join } from "node:path";
import type { AskRequest, Question } from "@askbox/core";
import { sharedMemory } from "@askbox/core/stores";
import { fakeClock } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import type { PushBrowser } from "../../src/options.ts";
import { newVapidKey } from "../../src/push/web-push.ts";
import { pushService } from "../../src/testing/push-service.ts";
import { comes, type SceneOptions, scene, temporaryFolder } from "../support/scene.ts";

const option = (value: string, rest = {}) => ({ value, label: value, ...rest });
const yesNo = { title: "Deploy", questions: [{ id: "q_1", type: "confirm", question: "Now?", required: true } as Question] };
const command = (text: string, rest = {}) => ({
  questions: [
    { id: "q_1", type: "approval", question: "May I?", required: true, action: { kind: "command", command: text }, ...rest } as Question,
  ],
});

interface Options extends SceneOptions {
  showText?: boolean;
  allow?: boolean;
  names?: readonly string[];
}

/** A hub, push services in process, and browsers that get pushes. */
async function pushScene({ showText = true, allow = false, names = ["phone"], ...options }: Options = {}) {
  const service = pushService();
  const browsers: PushBrowser[] = names.map((name) => ({
    id: `device-${name}`,
    name,
    person: "Ada",
    push: { ...service.subscribe(name), allow },
  }));
  const lost: string[] = [];
  const key = newVapidKey();
  const buttonPresses = join(temporaryFolder(), "presses.json");
  const made = await scene({
    ...options,
    mode: "none",
    remote: {
      buttonPresses,
      fetch: service.fetch,
      push: {
        key: async () => key,
        showText,
        browsers: () => browsers,
        async forget({ id }) {
          lost.push(id);
          browsers.splice(
            browsers.findIndex((browser) => browser.id === id),
            1,
          );
        },
        answerAs: ({ person = "" }) => made.deskOf({ surface: "web", name: person }),
      },
      ...options.remote,
    },
  });
  const { push } = made.notify;
  if (push === undefined) throw new Error("Nobody gets pushes.");
  const last = (name = "phone") => service.of(name).at(-1) ?? expect.fail("nothing was pushed");
  return {
    ...made,
    service,
    browsers,
    lost,
    push,
    last,
    answer: (id: string) =>
      made.deskOf({ surface: "terminal", name: "Ada" }).answer(id, { answers: [{ questionId: "q_1", values: ["yes"] }] }),
    async pushed(request: Partial<AskRequest> = yesNo) {
      const id = await made.ask(request);
      await made.clock.advance(20_000);
      await comes(() => expect(service.delivered.at(-1)?.message.id).toBe(id));
      return id;
    },
    press: (label: string, { from = "device-phone", of = last() } = {}) =>
      push.press(from, of.buttons?.find((button) => button.label === label)?.token ?? "none"),
    ended: (name = "phone") => comes(() => expect(last(name).ended).toBe(true)),
  };
}

describe("a browser elsewhere", () => {
  test("is told of a question that nobody has seen for 20 s, encrypted, and of its end", async () => {
    const { ask, clock, service, last, answer, ended } = await pushScene();
    const id = await ask(yesNo);
    await clock.advance(19_000);
    expect(service.delivered).toEqual([]);
    await clock.advance(1_000);
    await comes(() => expect(last()).toMatchObject({ id, to: "device-phone", page: `/s/${id}` }));
    expect(last()).toMatchObject({ title: "askbox: Claude Code in engine (main)", body: "Deploy\nNow?" });
    const { headers, size } = service.delivered[0] ?? expect.fail("nothing was delivered");
    expect(headers).toMatchObject({ "content-encoding": "aes128gcm", urgency: "high", ttl: "280" });
    expect(headers["topic"]).toMatch(/^[\w-]{32}$/);
    expect(headers["authorization"]).toMatch(/^vapid t=[\w-]+\.[\w-]+\.[\w-]+, k=[\w-]{87}$/);
    expect(size).toBeLessThanOrEqual(4_096);
    await answer(id);
    await ended();
    expect(last()).toMatchObject({ id, body: "Answered by Ada in the terminal: Deploy", page: `/history/${id}` });
    expect(last()).not.toHaveProperty("buttons");
    expect(service.delivered[1]?.headers).toMatchObject({ urgency: "normal", topic: headers["topic"] });
  });

  test.each([
    ["was seen by then", async ({ desk }: Awaited<ReturnType<typeof pushScene>>, id: string) => void (await desk.attend(id))],
    ["was settled by then", async ({ answer }: Awaited<ReturnType<typeof pushScene>>, id: string) => answer(id)],
  ])("is not told of a question that %s, nor of its end", async (_, meanwhile) => {
    const made = await pushScene();
    const id = await made.ask(yesNo);
    await made.clock.advance(10_000);
    await meanwhile(made, id);
    await made.clock.advance(15_000);
    await made.answer(id).catch(() => {});
    await made.clock.advance(1_000);
    expect(made.service.delivered).toEqual([]);
  });

  test("is told of neither in quiet hours, and never where a rule says so", async () => {
    const rules = { rules: [{ project: "/home/ada/engine", after: "never" as const }] };
    const { ask, clock, service } = await pushScene({ rules });
    await ask(yesNo);
    await ask(yesNo, { project: "/home/ada/other" });
    await clock.advance(20_000);
    await comes(() => expect(service.delivered).toHaveLength(1));
    const quiet = await pushScene({ rules: { rules: [], quietHours: "00:00-23:59" } });
    await quiet.ask(yesNo);
    await quiet.clock.advance(60_000);
    expect(quiet.service.delivered).toEqual([]);
  });

  // promise: digest-overrules-nothing
  test("is told of denials by a model together, with no button, and without their actions where no text is shown", async () => {
    for (const showText of [true, false]) {
      const { ask, clock, service, last } = await pushScene({ showText, allow: true, denialDigest: 900_000 });
      const denial = { reviewer: "auto mode", status: "denied" } as const;
      for (const text of ["ls", "make"]) await ask({ ...command(text, { denial }), timeout: 86_400_000 });
      await clock.advance(900_000);
      await comes(() => expect(service.delivered).toHaveLength(1));
      const newest = showText ? "The newest: Claude Code in engine (main): make" : "The newest: Claude Code in engine";
      expect(last()).toMatchObject({
        title: "askbox: 2 calls were denied by a model",
        body: `${newest}\nLook at them in the inbox.`,
        page: "/",
      });
      expect(last().buttons).toBeUndefined();
    }
  });

  test("is reminded at half of its time and before its end", async () => {
    const { pushed, clock, service } = await pushScene();
    const id = await pushed();
    await clock.advance(130_000);
    await comes(() => expect(service.delivered).toHaveLength(2));
    await clock.advance(120_000);
    await comes(() => expect(service.of("phone").map((message) => message.id)).toEqual([id, id, id]));
  });

  test("gets no text and no buttons if texts are not shown", async () => {
    const { pushed, last } = await pushScene({ showText: false });
    await pushed({ ...yesNo, title: "A secret" });
    expect(last()).toMatchObject({ title: "askbox: Claude Code in engine", body: "1 question is waiting." });
    expect(last()).not.toHaveProperty("buttons");
    expect(JSON.stringify(last())).not.toMatch(/secret/);
  });

  test("of several hubs is told by one", async () => {
    const shared = sharedMemory(fakeClock()).open();
    const claimed = new Set<string>();
    const claim = async (news: string) => !claimed.has(news) && claimed.add(news).has(news);
    const { startAgain, pushed, service, answer, ended } = await pushScene({ remote: { shared, claim } });
    await startAgain();
    await answer(await pushed());
    await ended();
    expect(service.delivered).toHaveLength(2);
  });
});

describe("a push service", () => {
  test.each([404, 410])("that answers %i has no such browser any more: its subscription is removed", async (status) => {
    const { ask, clock, service, browsers, lost, log } = await pushScene({ names: ["phone", "laptop"] });
    service.answer("phone", { status });
    await ask(yesNo);
    await clock.advance(20_000);
    await comes(() => expect(lost).toEqual(["device-phone"]));
    expect(browsers.map(({ name }) => name)).toEqual(["laptop"]);
    expect(service.of("laptop")).toHaveLength(1);
    expect(log.map(({ message }) => message)).toContain("A browser gets no more pushes: its subscription has ended");
    expect(log.filter(({ level }) => level === "warn")).toEqual([]);
  });

  test("that asks for a pause gets nothing for that browser until it is over, and the others get theirs once", async () => {
    const { pushed, ask, clock, service } = await pushScene({ names: ["phone", "laptop"] });
    service.answer("phone", { status: 429, headers: { "retry-after": "60" } });
    await pushed();
    await ask(yesNo);
    await clock.advance(39_000);
    await comes(() => expect(service.of("laptop")).toHaveLength(2));
    expect(service.asked("phone")).toBe(1);
    await comes(async () => {
      await clock.advance(5_000);
      expect(service.of("phone")).toHaveLength(2);
    });
    expect(service.of("laptop")).toHaveLength(2);
  });

  test.each([
    ["is away", new Error("ECONNREFUSED")],
    ["has a problem", { status: 503 }],
    ["never answers", "hangs" as const],
  ])("that %s gets the message later", async (_, answer) => {
    const { ask, clock, service } = await pushScene();
    service.answer("phone", answer);
    const id = await ask(yesNo);
    await clock.advance(20_000);
    await comes(() => expect(service.asked("phone")).toBe(1));
    await clock.advance(15_000);
    await clock.advance(6_000);
    await comes(() => expect(service.of("phone").map((message) => message.id)).toEqual([id]));
  });

  test("that refuses a message is not asked again, and is in the log without its address", async () => {
    const { ask, clock, service, log, warnings } = await pushScene();
    service.answer("phone", { status: 403 });
    await ask(yesNo);
    await clock.advance(20_000);
    await comes(() => expect(warnings()).toEqual(["A push could not be delivered and was dropped."]));
    expect(JSON.stringify(log)).not.toContain("push.example/phone");
    await clock.advance(60_000);
    expect(service.delivered).toEqual([]);
  });

  // promise: push-only-outside
  test("that redirects leads nowhere", async () => {
    const { ask, clock, service, warnings } = await pushScene();
    service.answer("phone", { status: 307, headers: { location: "https://127.0.0.1/" } });
    await ask(yesNo);
    await clock.advance(20_000);
    await comes(() => expect(warnings()).toHaveLength(1));
  });
});

describe("the buttons of a push", () => {
  test.each<[string, Partial<AskRequest>, readonly string[]]>([
    ["yes and no", yesNo, ["Yes", "No"]],
    [
      "the two options of a choice",
      {
        questions: [
          { id: "q_1", type: "select", question: "Where?", required: true, options: [option("Here"), option("There")] } as Question,
        ],
      },
      ["Here", "There"],
    ],
    [
      "none for three options",
      {
        questions: [
          { id: "q_1", type: "select", question: "Where?", required: true, options: [option("A"), option("B"), option("C")] } as Question,
        ],
      },
      [],
    ],
    ["none for a question that systems cut", { ...yesNo, title: "x".repeat(240) }, []],
    ["none for one of five lines", { ...yesNo, title: "1\n2\n3\n4" }, []],
    ["none for several questions", { questions: [...yesNo.questions, { ...yesNo.questions[0], id: "q_2" } as Question] }, []],
    ["only Deny for an action", command("npm test"), ["Deny"]],
  ])("are %s", async (_, request, labels) => {
    const { pushed, last } = await pushScene();
    await pushed(request);
    expect((last().buttons ?? []).map(({ label }) => label)).toEqual(labels);
  });

  // promise: push-allows-only-where-on
  test("allow an action only where the person turned it on, and it is shown whole", async () => {
    const { pushed, last, press, desk } = await pushScene({ allow: true });
    const id = await pushed(command("npm test"));
    expect(last().body).toContain("npm test");
    expect(last().buttons).toHaveLength(2);
    const [{ label } = { label: "" }] = last().buttons?.filter((button) => button.label !== "Deny") ?? [];
    expect(await press(label)).toEqual({ status: "taken", isRepeated: false });
    expect((await desk.get(id)).outcome).toMatchObject({ answers: [{ values: ["allow"] }], by: { surface: "web", name: "Ada" } });
    await pushed(command(`npm test -- ${"x".repeat(240)}`));
    expect(last().buttons?.map((button) => button.label)).toEqual(["Deny"]);
    expect(last().body).toContain("It is too long to be allowed here.");
  });

  test("answer as the browser's person", async () => {
    const { pushed, press, desk, ended, last } = await pushScene();
    const id = await pushed();
    expect(await press("Yes")).toEqual({ status: "taken", isRepeated: false });
    expect((await desk.get(id)).outcome).toMatchObject({ kind: "answered", by: { surface: "web", name: "Ada" } });
    await ended();
    expect(last().body).toBe("Answered by Ada in the browser: Deploy");
  });

  // promise: push-press-is-one-answer
  test("change nothing when one is pressed twice, or its sibling after it", async () => {
    const { pushed, press, desk, last } = await pushScene();
    const id = await pushed();
    const of = last();
    await press("Yes", { of });
    const { revision, outcome } = await desk.get(id);
    expect(await press("Yes", { of })).toEqual({ status: "taken", isRepeated: true });
    expect(await press("No", { of })).toEqual({
      status: "refused",
      why: "Your press came too late. Answered by Ada in the browser: Deploy",
    });
    expect(await desk.get(id)).toMatchObject({ revision, outcome });
  });

  // One winner, whoever it is.
  test("race a terminal, another browser and a script with one winner", async () => {
    const { pushed, press, desk, last } = await pushScene({ names: ["phone", "laptop"] });
    for (let round = 0; round < 10; round += 1) {
      const id = await pushed();
      const answers = { answers: [{ questionId: "q_1", values: ["no"] }] };
      const [laptop, phone] = [last("laptop"), last("phone")];
      const results = await Promise.all([
        desk.answer(id, answers).then(
          () => "taken",
          () => "refused",
        ),
        press("Yes", { of: phone }).then(({ status }) => status),
        press("No", { from: "device-laptop", of: laptop }).then(({ status }) => status),
      ]);
      expect(results.filter((status) => status === "taken")).toHaveLength(1);
    }
  });

  // promise: push-press-is-one-answer
  test.each<[string, (made: Awaited<ReturnType<typeof pushScene>>, token: string) => Promise<unknown>, string]>([
    [
      "of a browser that was logged out",
      async ({ browsers, push }, token) => {
        browsers.splice(0, 1);
        return push.press("device-phone", token);
      },
      "was logged out",
    ],
    ["by another browser", async ({ push }, token) => push.press("device-laptop", token), "not one of this inbox"],
    ["by nobody", async ({ push }, token) => push.press("device-of-nobody", token), "was logged out"],
    ["of another answer", async ({ push }, token) => push.press("device-phone", token.replace(".0.", ".1.")), "not one of this inbox"],
    ["that is cut", async ({ push }, token) => push.press("device-phone", token.slice(0, -1)), "not one of this inbox"],
  ])("are refused %s, and that is said", async (_, press, why) => {
    const made = await pushScene({ names: ["phone", "laptop"] });
    const id = await made.pushed();
    const token = made.last("phone").buttons?.[0]?.token ?? "";
    expect(await press(made, token)).toEqual({ status: "refused", why: expect.stringContaining(why) });
    expect((await made.desk.get(id)).status).toBe("pending");
    // Whoever tries all day doesn't fill the log.
    for (let tries = 0; tries < 5; tries += 1) await press(made, token);
    expect(made.warnings()).toHaveLength(1);
  });

  test("that are pressed again and again are logged once", async () => {
    const { pushed, last, push, log } = await pushScene();
    await pushed();
    const [yes, no] = last().buttons ?? [];
    for (let tries = 0; tries < 5; tries += 1) await push.press("device-phone", yes?.token ?? "");
    expect(log.filter(({ message }) => message.startsWith("A button press"))).toHaveLength(1);
    for (let tries = 0; tries < 5; tries += 1) await push.press("device-phone", no?.token ?? "");
    expect(log.filter(({ message }) => message.includes("was not taken"))).toHaveLength(1);
  });

  // promise: push-allows-only-where-on
  test("do nothing once allowing was turned off for the browser", async () => {
    const { pushed, last, browsers, push, desk } = await pushScene({ allow: true });
    const id = await pushed(command("npm test"));
    const allow = last().buttons?.find(({ label }) => label !== "Deny")?.token ?? "";
    const [browser] = browsers;
    if (browser) browsers[0] = { ...browser, push: { ...browser.push, allow: false } };
    expect(await push.press("device-phone", allow)).toMatchObject({ status: "refused", why: expect.stringContaining("no longer offered") });
    expect((await desk.get(id)).status).toBe("pending");
  });

  test("work after the hub was started again", async () => {
    const { pushed, last, notify, startAgain, desk } = await pushScene();
    const id = await pushed();
    const of = last();
    await notify.close();
    const { push } = await startAgain();
    expect(await push?.press("device-phone", of.buttons?.[0]?.token ?? "")).toEqual({ status: "taken", isRepeated: false });
    expect((await desk.get(id)).status).toBe("answered");
  });
});

describe("a test of the pushes", () => {
  test("reaches each browser, and says which button was pressed, and what failed", async () => {
    const { push, service, last, clock, ended } = await pushScene({ names: ["phone", "laptop", "gone"] });
    service.answer("gone", { status: 410 });
    const testing = push.test(60_000, new AbortController().signal);
    await comes(() => expect(service.delivered).toHaveLength(2));
    expect(last()).toMatchObject({ body: "Does this reach you?", buttons: [{ label: "It works" }] });
    const token = last().buttons?.[0]?.token ?? "";
    expect((await push.press("device-laptop", token)).status).toBe("refused");
    await clock.advance(1_500);
    expect((await push.press("device-phone", token)).status).toBe("taken");
    await ended();
    await clock.advance(60_000);
    expect(await testing).toEqual([
      { way: "push to phone", pressedAfter: 1_500 },
      { way: "push to laptop", pressedAfter: null },
      { way: "push to gone", trouble: "it answered 410" },
    ]);
  });

  test("hears of a press that another hub got", async () => {
    const { push, last, startAgain } = await pushScene({ remote: { shared: sharedMemory(fakeClock()).open() } });
    const other = await startAgain();
    const testing = push.test(60_000, new AbortController().signal);
    await comes(() => last());
    expect((await other.push?.press("device-phone", last().buttons?.[0]?.token ?? ""))?.status).toBe("taken");
    expect(await testing).toMatchObject([{ pressedAfter: expect.any(Number) }]);
  });
});
