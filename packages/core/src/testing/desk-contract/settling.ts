import { assert, assertEqual, assertRejects, type ContractCase } from "../contract.ts";
import { anAsk, anAsker } from "../fixtures.ts";
import { ada, ask, bob, type PortsHarness, portsCase, validSet } from "../ports-harness.ts";
import { withAnswer, without } from "./support.ts";

/** The contract for finding and settling. */
export const deskSettling: readonly ContractCase<PortsHarness>[] = [
  portsCase("a session is listed with everything a person needs to answer it", async (inbox) => {
    const { session } = await ask(await inbox.asker());
    const { items } = await (await inbox.desk()).list({ statuses: ["pending"] });
    assertEqual(items.length, 1, "how many are pending");
    const [view] = items;
    const { questions, title } = anAsk();
    assertEqual([view?.id, view?.title, view?.questions, view?.asker], [session.id, title, questions, anAsker()], "the session");
    assertEqual((view?.deadlineAt ?? 0) - (view?.createdAt ?? 0), 300_000, "the time to answer");
  }),

  portsCase("lists are filtered by status, project and text, and paged", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk();
    for (const project of ["/a", "/a", "/b"]) await ask(asker, { title: `Work in ${project}` }, { asker: anAsker({ project }) });
    const [first] = (await desk.list({ project: "/b" })).items;
    assert(first !== undefined, "the project's session is listed");
    await desk.cancel(first.id);
    assertEqual((await desk.list({ statuses: ["pending"] })).items.length, 2, "how many are pending");
    assertEqual(
      (await desk.list({ statuses: ["cancelled"] })).items.map(({ id }) => id),
      [first.id],
      "what is cancelled",
    );
    assertEqual(
      (await desk.list({ text: "WORK IN /B" })).items.map(({ id }) => id),
      [first.id],
      "what has the text",
    );
    const page = await desk.list({ limit: 2 });
    assert(page.nextCursor !== undefined, "there is a next page");
    const rest = await desk.list({ limit: 2, cursor: page.nextCursor });
    assertEqual(new Set([...page.items, ...rest.items].map(({ id }) => id)).size, 3, "all pages together");
    assertEqual(rest.nextCursor, undefined, "the last page's cursor");
  }),

  // promise: id-prefix
  portsCase("an id may be a unique prefix of 4 characters", async (inbox) => {
    const { session } = await ask(await inbox.asker());
    const desk = await inbox.desk();
    for (const length of [4, 10, session.id.length]) {
      assertEqual((await desk.get(session.id.slice(0, length))).id, session.id, `${length} characters`);
    }
    await assertRejects(desk.get(session.id.slice(0, 3)), "SESSION_NOT_FOUND", "3 characters");
    await assertRejects(desk.get("zzzzzzzz"), "SESSION_NOT_FOUND", "an unknown id");
  }),

  portsCase("an invalid answer is rejected with a sentence for each question and leaves the session open", async (inbox) => {
    const { session } = await ask(await inbox.asker());
    const desk = await inbox.desk();
    const refused = {
      "a required question left out": without("q_text"),
      "a blank text": withAnswer("q_text", { values: ["  \n"] }),
      "two texts": withAnswer("q_text", { values: ["a", "b"] }),
      "an option that is not offered": withAnswer("q_select", { values: ["mysql"] }),
      "two values on a select": withAnswer("q_select", { values: ["sqlite", "postgres"] }),
      "a value and Other on a select": withAnswer("q_select", { values: ["sqlite"], customText: "both" }),
      "an option chosen twice": withAnswer("q_multi", { values: ["linux", "linux"] }),
      "a confirm that is neither yes nor no": withAnswer("q_confirm", { values: ["maybe"] }),
      "Other on a confirm": withAnswer("q_confirm", { values: [], customText: "well" }),
      "an unknown question": { answers: [...validSet().answers, { questionId: "nope", values: ["x"] }] },
      "a question answered twice": { answers: [...validSet().answers, { questionId: "q_text", values: ["x"] }] },
      "nothing at all": { answers: [] },
    };
    for (const [what, set] of Object.entries(refused)) {
      const error = await assertRejects(desk.answer(session.id, set), "INVALID_ANSWER", what);
      const issues = error.details?.["issues"];
      assert(Array.isArray(issues) && issues.length > 0, `${what}: the error names the questions`);
    }
    assertEqual((await desk.get(session.id)).status, "pending", "the status");
    assertEqual((await desk.get(session.id)).revision, 1, "the revision");
  }),

  portsCase("Other can be added to several choices, and replaces a single one", async (inbox) => {
    const { session } = await ask(await inbox.asker());
    const desk = await inbox.desk();
    const set = withAnswer("q_select", { values: [], customText: "DuckDB" });
    const view = await desk.answer(session.id, set);
    assert(view.outcome?.kind === "answered", "it is answered");
    assertEqual(
      view.outcome.answers.map(({ questionId }) => questionId),
      ["q_text", "q_select", "q_multi", "q_confirm"],
      "the order",
    );
    assertEqual(view.outcome.answers[1], { questionId: "q_select", values: [], customText: "DuckDB" }, "Other alone");
    assertEqual(view.outcome.answers[2]?.customText, "Plan 9", "Other beside choices");
  }),

  portsCase("a skipped optional question has an answer without values", async (inbox) => {
    const questions = anAsk().questions.map((question) => ({ ...question, required: false }));
    const { session } = await ask(await inbox.asker(), { questions });
    const view = await (await inbox.desk()).answer(session.id, { answers: [] });
    assert(view.outcome?.kind === "answered", "it is answered");
    assertEqual(
      view.outcome.answers.map(({ values }) => values),
      [[], [], [], []],
      "the values",
    );
  }),

  // promise: second-answer-informed
  portsCase("of two answers at once the first wins and the other is told who gave it", async (inbox) => {
    const { session } = await ask(await inbox.asker());
    const desks = [await inbox.desk(ada), await inbox.desk(bob)];
    const results = await Promise.allSettled(desks.map((desk, index) => desk.answer(session.id, validSet({ comment: `by ${index}` }))));
    const winners = results.filter((result) => result.status === "fulfilled");
    assertEqual(winners.length, 1, "how many succeed");
    const winner = results.findIndex((result) => result.status === "fulfilled");
    const loser = desks[1 - winner];
    assert(loser !== undefined, "there is a loser");
    const error = await assertRejects(loser.answer(session.id, validSet()), "SESSION_CLOSED", "the second answer");
    const standing = error.details?.["session"] as { outcome?: { by?: unknown } } | undefined;
    assertEqual(standing?.outcome?.by, [ada, bob][winner], "who it names");
  }),

  portsCase("a request repeated with its idempotency key takes effect once and returns the outcome", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk(ada);
    const settle = {
      answer: (id: string, idempotencyKey: string) => desk.answer(id, validSet(), { idempotencyKey }),
      cancel: (id: string, idempotencyKey: string) => desk.cancel(id, { idempotencyKey }),
    };
    for (const [what, request] of Object.entries(settle)) {
      const { session } = await ask(asker);
      const view = await request(session.id, "request-1");
      assertEqual(await request(session.id, "request-1"), view, `the repeated ${what}`);
      await assertRejects(request(session.id, "request-2"), "SESSION_CLOSED", `another ${what}`);
    }
    const { session } = await ask(asker);
    const both = await Promise.all([1, 2].map(() => desk.answer(session.id, validSet(), { idempotencyKey: "request-3" })));
    assertEqual(
      both.map(({ revision }) => revision),
      [2, 2],
      "an answer that is sent twice at once",
    );
  }),

  portsCase("a delayed answer, a recall and a reply repeated with their idempotency keys take effect once", async (inbox) => {
    const desk = await inbox.desk(ada);
    const { session } = await ask(await inbox.asker(), { timeout: 10_000 });
    const held = await desk.answer(session.id, validSet(), { delay: 5_000, idempotencyKey: "answer-1" });
    const again = await desk.answer(session.id, validSet(), { delay: 5_000, idempotencyKey: "answer-1" });
    assertEqual(again.scheduled, held.scheduled, "the repeated answer");
    for (let times = 0; times < 2; times += 1) {
      assertEqual((await desk.recall(session.id, { idempotencyKey: "recall-1" })).scheduled, undefined, "a recall");
    }
    const late = await desk.answer(session.id, validSet(), { delay: 5_000, idempotencyKey: "answer-1" });
    assertEqual(late.scheduled, undefined, "an answer that is repeated after it was recalled");
    await inbox.advance(10_100);
    const replied = await desk.reply(session.id, validSet(), { idempotencyKey: "reply-1" });
    assertEqual(await desk.reply(session.id, validSet(), { idempotencyKey: "reply-1" }), replied, "the repeated reply");
    await assertRejects(desk.reply(session.id, validSet(), { idempotencyKey: "reply-2" }), "SESSION_CLOSED", "another reply");
  }),

  portsCase("a delayed decline and its recall repeated with their idempotency keys take effect once", async (inbox) => {
    const desk = await inbox.desk(ada);
    const { session } = await ask(await inbox.asker());
    const decline = (idempotencyKey: string) => desk.cancel(session.id, { reason: "no", delay: 5_000, idempotencyKey });
    const held = await decline("cancel-1");
    assertEqual((await decline("cancel-1")).scheduled, held.scheduled, "the repeated decline");
    for (let times = 0; times < 2; times += 1) {
      assertEqual((await desk.recall(session.id, { idempotencyKey: "recall-1" })).scheduled, undefined, "a recall");
    }
    assertEqual((await decline("cancel-1")).scheduled, undefined, "a decline that is repeated after it was recalled");
    await decline("cancel-2");
    await inbox.advance(5_100);
    const settled = await desk.get(session.id);
    assertEqual(await decline("cancel-2"), settled, "a decline that is repeated after it was sent");
    await assertRejects(decline("cancel-3"), "SESSION_CLOSED", "another decline");
  }),

  portsCase("a settled session cannot be cancelled, extended, drafted or recalled", async (inbox) => {
    const { session } = await ask(await inbox.asker());
    const desk = await inbox.desk();
    await desk.answer(session.id, validSet());
    const before = await desk.get(session.id);
    await assertRejects(desk.cancel(session.id), "SESSION_CLOSED", "a cancellation");
    await assertRejects(desk.extend(session.id, { timeout: 60_000 }), "SESSION_CLOSED", "more time");
    await assertRejects(desk.saveDraft(session.id, { comment: "x" }), "SESSION_CLOSED", "a draft");
    await assertRejects(desk.recall(session.id), "SESSION_CLOSED", "a recall");
    await assertRejects(desk.reply(session.id, validSet()), "SESSION_CLOSED", "a reply");
    assertEqual(await desk.get(session.id), before, "the session afterwards");
  }),

  portsCase("what people often write is offered by project, and not what was written once", async (inbox) => {
    const asker = await inbox.asker();
    const desk = await inbox.desk(ada);
    const text = anAsk().questions.slice(0, 1);
    for (const [title, words] of [
      ["1", "lathe"],
      ["2", "lathe"],
      ["3", "mill"],
    ] as const) {
      const { session } = await ask(asker, { title, questions: text });
      await desk.answer(session.id, { answers: [{ questionId: "q_text", values: [words] }] });
    }
    for (const title of ["4", "5"]) await desk.cancel((await ask(asker, { title })).session.id, { reason: " Not on Friday. " });
    const expected = { texts: ["lathe"], reasons: ["Not on Friday."] };
    assertEqual(await desk.phrases(anAsker().project), expected, "the project's");
    assertEqual(await desk.phrases(), expected, "those of all projects");
    assertEqual(await desk.phrases("/elsewhere"), { texts: [], reasons: [] }, "those of another project");
  }),
];
