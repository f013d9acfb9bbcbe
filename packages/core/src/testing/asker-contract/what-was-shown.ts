import { traitsOf } from "../../session/questions/index.ts";
import { askedFields, withField } from "../asked-fields.ts";
import { assert, assertEqual, assertRejects, type ContractCase } from "../contract.ts";
import { ask, type PortsHarness, portsCase } from "../ports-harness.ts";
import { leave } from "./support.ts";

/** The contract for asks that differ from an earlier one in a single field: none gets its place or its answer. */
export const askerWhatWasShown: readonly ContractCase<PortsHarness>[] = [
  ...askedFields.map(({ question, values, changed }) =>
    // promise: answer-only-for-what-was-shown
    portsCase(`an answer is only for what was shown: ${question.type}`, async (inbox) => {
      const asker = await inbox.asker();
      const desk = await inbox.desk();
      const only = { questions: [question] };
      const others = Object.entries(changed).map(([path, value]) => ({ path, questions: [withField(question, path, value)] }));
      const { session } = await ask(asker, only);
      const keyed = await ask(asker, only, { key: "key-1" });
      await leave(inbox, session.id);
      for (const { path, questions } of others) {
        const { joined } = await ask(asker, { questions });
        assertEqual(joined, false, `whether another ${path} joins the pending question`);
        await assertRejects(ask(asker, { questions }, { key: "key-1" }), "CONFLICT", `another ${path} with its key`);
      }
      await leave(inbox, keyed.session.id);
      for (const { id } of [session, keyed.session]) await desk.answer(id, { answers: [{ questionId: question.id, values }] });
      for (const { path, questions } of others) {
        const { late } = await ask(asker, { questions });
        assertEqual(late, false, `whether another ${path} gets the answer`);
        await assertRejects(ask(asker, { questions }, { key: "key-1" }), "CONFLICT", `another ${path} with the key of the answer`);
      }
      const again = await ask(asker, { questions: [{ ...question, id: "q_zzzzz9" }] });
      assertEqual(again.late, traitsOf(question).singleUse !== true, "whether an equal ask gets the answer");
    }),
  ),

  portsCase("an answer is only for questions under the title that was shown", async (inbox) => {
    const asker = await inbox.asker();
    const { session } = await ask(asker, { title: "Staging" });
    await leave(inbox, session.id);
    const other = await ask(asker, { title: "Production" });
    assert(!other.joined, "another title joined the pending question");
  }),
];
