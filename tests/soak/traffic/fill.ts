import { oneQuestion } from "../../faults/support/questions.ts";
import { leftAlone, type SoakTarget } from "./target.ts";

/** A hub remembers this many operations per token and role, to recognise repeated ones; a few more fill it. */
const operations = 1_100;
const lanes = 10;

/**
 * Fills the hub's bounded caches, so that filling up does not look like growth: the traffic alone would take minutes. Questions are
 * asked, drafted and withdrawn.
 */
export async function fill({ home }: Pick<SoakTarget, "home">): Promise<void> {
  const asking = await home.connect({ role: "asker" });
  const looking = await home.connect({ role: "desk" });
  let left = operations;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      const asker = { client: { name: leftAlone, version: "1" }, agentId: "fill" };
      const { session } = await asking.asker.ask(oneQuestion(`Question ${left} that nobody sees?`), { asker, maxWait: 0 });
      await looking.desk.saveDraft(session.id, { fields: { q: { values: ["a word"] } } });
      await asking.asker.withdraw(session.id);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  asking.close();
  looking.close();
}
