import type { ClientForms } from "../../ports/asker.ts";
import { assert, assertEqual, assertRejects, type ContractCase } from "../contract.ts";
import { ada, ask, type PortsHarness, portsCase, resumed, validSet } from "../ports-harness.ts";

/** The asker's port for clients' own forms. */
function formsOf(asker: { forms?: ClientForms }) {
  assert(asker.forms !== undefined, "the asker has a port for clients' own forms");
  return asker.forms;
}

/** The contract for answers from a client's own form. */
export const askerForms: readonly ContractCase<PortsHarness>[] = [
  // promise: answer-is-a-persons, client-form-needs-consent
  portsCase("an answer from a client's own form is rejected unless allowed, and changes nothing", async (inbox) => {
    const asker = await inbox.asker();
    const { session } = await ask(asker);
    assertEqual(await formsOf(asker).allowed(), false, "whether it is allowed");
    await assertRejects(formsOf(asker).answered(session.id, validSet()), "FORBIDDEN", "an answer from the asker's side");
    assertEqual((await (await inbox.desk()).get(session.id)).status, "pending", "the status");
  }),

  portsCase(
    "an answer from a client's own form settles the session, ends its wait, and says where it was given",
    async (inbox) => {
      const asker = await inbox.asker();
      const { session } = await ask(asker);
      assertEqual(await formsOf(asker).allowed(), true, "whether it is allowed");
      const wait = resumed(asker, session.id);
      const settled = await formsOf(asker).answered(session.id, validSet({ comment: "here" }));
      assertEqual((await wait).context.outcome, settled.context.outcome, "what the wait resolves with");
      const { outcome } = settled.context;
      assert(outcome?.kind === "answered", "the outcome is an answer");
      assertEqual(outcome.by, { surface: "client", name: session.asker.client.name }, "who gave it");
      assertEqual([outcome.answers, outcome.comment], [validSet().answers, "here"], "what was given");
    },
    { clientForms: true },
  ),

  portsCase(
    "of a form and a desk the first wins, and the second is told",
    async (inbox) => {
      const asker = await inbox.asker();
      const { session } = await ask(asker);
      await (await inbox.desk(ada)).answer(session.id, validSet());
      const error = await assertRejects(formsOf(asker).answered(session.id, validSet()), "SESSION_CLOSED", "the form's answer");
      assert(error.details?.["session"] !== undefined, "the error holds the session that stands");
      const other = await ask(asker, {}, { key: "other" });
      await formsOf(asker).answered(other.session.id, validSet());
      await assertRejects((await inbox.desk(ada)).answer(other.session.id, validSet()), "SESSION_CLOSED", "the desk's answer");
    },
    { clientForms: true },
  ),

  portsCase(
    "an answer from a form that is repeated with its idempotency key takes effect once",
    async (inbox) => {
      const asker = await inbox.asker();
      const { session } = await ask(asker);
      const first = await formsOf(asker).answered(session.id, validSet(), { idempotencyKey: "request-1" });
      const again = await formsOf(asker).answered(session.id, validSet(), { idempotencyKey: "request-1" });
      assertEqual(again, first, "the repeated answer");
      const other = formsOf(asker).answered(session.id, validSet(), { idempotencyKey: "request-2" });
      await assertRejects(other, "SESSION_CLOSED", "another answer");
    },
    { clientForms: true },
  ),

  portsCase(
    "an invalid answer from a form closes nothing, nor does one to another asker's session",
    async (inbox) => {
      const asker = await inbox.asker();
      const { session } = await ask(asker);
      await assertRejects(formsOf(asker).answered(session.id, { answers: [] }), "INVALID_ANSWER", "an incomplete answer");
      const stranger = await inbox.asker("owner-2");
      await assertRejects(formsOf(stranger).answered(session.id, validSet()), "SESSION_NOT_FOUND", "a stranger's answer");
      assertEqual((await (await inbox.desk()).get(session.id)).status, "pending", "the status");
    },
    { clientForms: true },
  ),
];
