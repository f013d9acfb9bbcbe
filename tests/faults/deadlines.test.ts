import { expect, test } from "vitest";
import { otherClock } from "../support/other-clock.ts";
import { until } from "../support/until.ts";
import { faultHome } from "./support/home.ts";
import { asker, oneQuestion } from "./support/questions.ts";

/** The minimum timeout of a question, in ms. */
const shortest = 10_000;

// promise: deadline-ignores-wall-clock
test("a deadline that passed while no hub ran is over when the next one starts, and those that have not are kept", async () => {
  const home = faultHome();
  const first = await home.startHub();
  const { asker: port } = await home.connect({ role: "asker" });
  const { session: short } = await port.ask(oneQuestion("Short?", shortest), { asker: asker("a"), maxWait: 0 });
  const { session: long } = await port.ask(oneQuestion("Long?"), { asker: asker("b"), maxWait: 0 });
  await first.kill();
  await home.startHub({ env: otherClock({ ahead: shortest }) });
  const { desk } = await home.connect({ role: "desk" });
  // Much sooner than it would be over by this clock.
  await until("the short one has timed out", async () => (await desk.get(short.id)).status === "timed_out", shortest / 2);
  expect(await desk.get(long.id)).toMatchObject({ status: "pending", deadlineAt: long.context.deadlineAt });
});
