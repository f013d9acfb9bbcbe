import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { deliver, earlierOf, resumed } from "@askbox/core/testing";
import { describe, type TestContext, test } from "vitest";
import { faultHome } from "./support/home.ts";
import { answerOf, asker, oneQuestion, textOf } from "./support/questions.ts";
import { spend, until } from "./support/until.ts";

const clock = pathToFileURL(join(import.meta.dirname, "support/moved-clock.ts")).href;
const hour = 3_600_000;
/** The minimum timeout of a question, in ms. */
const shortest = 10_000;

/** A hub whose wall clock can be moved while it runs. */
async function hubWithClock({ onTestFinished }: TestContext) {
  const home = faultHome({ onTestFinished });
  const file = join(home.folder, "clock");
  const move = (milliseconds: number) => writeFileSync(file, String(milliseconds));
  move(0);
  await home.startHub({ env: { NODE_OPTIONS: `--import=${clock}`, ASKBOX_TEST_CLOCK: file } });
  const { desk } = await home.connect({ role: "desk" });
  const { asker: port } = await home.connect({ role: "asker" });
  return { home, desk, port, move };
}

// They wait for real deadlines, so they run concurrently.
describe.concurrent("a deadline", () => {
  // promise: deadline-ignores-wall-clock
  test.for([
    { jump: "an hour forward", by: hour },
    { jump: "an hour back", by: -hour },
  ])("passes exactly on time when the wall clock moves $jump", async ({ by }, context) => {
    const { desk, port, move } = await hubWithClock(context);
    const began = performance.now();
    const { session } = await port.ask(oneQuestion("Soon?", shortest), { asker: asker("a"), maxWait: 0 });
    const wait = resumed(port, session.id);
    move(by);
    // The deadline shown is moved with the clock, so that a reader with that clock sees the time left.
    const { deadlineAt } = await desk.get(session.id);
    context.expect(Math.abs((deadlineAt ?? 0) - (session.context.deadlineAt ?? 0) - by)).toBeLessThan(shortest / 2);
    // A question opened after the jump is no different.
    const { session: later } = await port.ask(oneQuestion("Later?", shortest), { asker: asker("b"), maxWait: 0 });
    const { context: settled } = await wait;
    context.expect(settled.outcome).toMatchObject({ kind: "timedOut", by: { surface: "deadline" } });
    context.expect(performance.now() - began).toBeGreaterThanOrEqual(shortest - 50);
    context.expect((await resumed(port, later.id)).context.outcome?.kind).toBe("timedOut");
    context.expect(performance.now() - began).toBeLessThan(hour / 60);
  });

  // promise: reply-after-timeout, typing-holds-deadline
  test("waits for a person who is typing, and accepts the answer after it has passed", async (context) => {
    const home = faultHome({ onTestFinished: context.onTestFinished });
    await home.startHub();
    const { desk } = await home.connect({ role: "desk" });
    const { asker: port } = await home.connect({ role: "asker" });
    const began = performance.now();
    const [typed, untouched] = await Promise.all(
      ["Typed?", "Untouched?"].map(async (question, index) => {
        const { session } = await port.ask(oneQuestion(question, shortest), { asker: asker(`agent-${index}`), maxWait: 0 });
        return { id: session.id, wait: resumed(port, session.id) };
      }),
    );
    if (typed === undefined || untouched === undefined) throw new Error("Two were asked.");
    for (let letters = 1; performance.now() - began < shortest + 1_500; letters += 1) {
      await desk.saveDraft(typed.id, { fields: { q: { values: ["x".repeat(letters)] } } });
      await spend(300);
    }
    context.expect((await untouched.wait).context.outcome?.kind).toBe("timedOut");
    await deliver(port, untouched.id);
    context.expect(await desk.get(typed.id)).toMatchObject({ status: "pending" });
    await desk.answer(typed.id, answerOf("just finished"));
    context.expect(textOf((await typed.wait).context.outcome)).toBe("just finished");

    // A slower person can still reply, and the reply comes with the agent's next call.
    await desk.reply(untouched.id, answerOf("too late, but said"));
    const earlier = await until("the reply comes along", async () => {
      const sessions = await earlierOf(port, asker("agent-1"));
      return sessions.length > 0 && sessions;
    });
    context.expect(earlier[0]?.reply?.answers[0]?.values).toEqual(["too late, but said"]);
    context.expect(earlier[0]?.context.outcome?.kind).toBe("timedOut");
  });

  // promise: deadline-ignores-wall-clock
  test("that passed while no hub ran is over when the next one starts, and those that have not are kept", async (context) => {
    const home = faultHome({ onTestFinished: context.onTestFinished });
    const first = await home.startHub();
    const { asker: port } = await home.connect({ role: "asker" });
    const { session: short } = await port.ask(oneQuestion("Short?", shortest), { asker: asker("a"), maxWait: 0 });
    const { session: long } = await port.ask(oneQuestion("Long?"), { asker: asker("b"), maxWait: 0 });
    await first.kill();
    await spend(shortest + 200);
    await home.startHub();
    const { desk } = await home.connect({ role: "desk" });
    await until("the short one has timed out", async () => (await desk.get(short.id)).status === "timed_out");
    context.expect(await desk.get(long.id)).toMatchObject({ status: "pending", deadlineAt: long.context.deadlineAt });
  });
});
