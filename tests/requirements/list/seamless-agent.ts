import type { AnswerSet } from "@askbox/core";
import { expect } from "vitest";
import { answerNext, type Connection, define, type Requirement } from "../requirement.ts";

type Answer = Omit<AnswerSet["answers"][number], "questionId">;
type Args = Record<string, unknown>;

const plan = "# Move the shop\n\n1. Copy the table.\n2. Drop the old one.";
const declined = "Failed: the person declined the question. Reason: Not today. Do not proceed as if they had agreed.";
const silent = (seconds: string, id: string) =>
  `Failed: timed out. The person did not answer within ${seconds}; nobody had it open (status: timed_out, sessionId: ${id}). Silence is not a decision: do not proceed as if the person had agreed.`;
const ticket = (id: string) =>
  `Pending: the person has not answered yet, and this is not an answer. The question stays open under sessionId ${id}: call get_answer with it to keep waiting, or without that tool ask exactly the same again.`;
const askedBack = (id: string) =>
  `Asked back: the person wants to know something before they answer, and this is not an answer.\n\nWhich one?\n\nReply by calling get_answer with sessionId ${id} and your reply (markdown); it keeps waiting for the answer. Without that tool, ask again, with what they want to know in the question.`;

const responded = (response: string) => ({ responded: response !== "", response, attachments: [] });
const none = (response: string) => ({ responded: false, response, attachments: [] });

/** The call's result after the first of its questions has these answers. */
async function resultOf(connection: Connection, tool: string, args: unknown, ...answers: (Answer & { at?: number })[]) {
  const call = connection.agent.callTool(tool, args);
  await answerNext(connection, ({ questions }) => ({
    answers: answers.map(({ at = 0, ...answer }) => ({ ...answer, questionId: questions[at]?.id ?? "" })),
  }));
  return call;
}

const groups = [
  { title: "Framework", options: ["Express", { label: "Koa", description: "smaller" }] },
  { title: "Languages", options: ["Go", "Rust"], multiSelect: true },
];

/** Calls of `ask_user`, the questions that they become, an answer, and the contract's response. */
const calls: readonly [id: string, what: string, args: Args, asked: object[], answers: (Answer & { at?: number })[], response: string][] = [
  [
    "text",
    "a question alone becomes one text",
    { question: "Done?" },
    [{ question: "Done?", type: "text", required: false }],
    [{ values: ["Yes."] }],
    "Yes.",
  ],
  [
    "options",
    "a flat list becomes options of which one is chosen",
    { question: "Which?", options: ["Red", { label: "Blue", description: "the dark one" }], multiSelect: null },
    [{ type: "select", options: [{ label: "Red" }, { label: "Blue", description: "the dark one" }], allowOther: true }],
    [{ values: ["Blue"], note: "soon" }],
    "Blue\n\nsoon",
  ],
  [
    "many",
    "multiSelect lets several be chosen",
    { question: "Which?", options: ["Red", "Blue"], multiSelect: true },
    [{ type: "multi-select" }],
    [{ values: ["Red", "Blue"], customText: "and green" }],
    "Red, Blue\n\nand green",
  ],
  [
    "groups",
    "each group of options becomes a question, and its title stands before what was chosen",
    { question: "What shall I use?", options: groups },
    [
      { question: "What shall I use?", header: "Framework", type: "select" },
      { question: "Languages", type: "multi-select" },
    ],
    [{ values: ["Koa"] }, { at: 1, values: ["Go", "Rust"] }],
    "Framework: Koa\nLanguages: Go, Rust",
  ],
  [
    "own-words",
    "a person may write a reply of their own",
    { question: "Which?", options: ["Red"] },
    [{ type: "select" }],
    [{ values: [], customText: "None." }],
    "None.",
  ],
  ["empty", "an empty reply is no response", { question: "Done?" }, [{ type: "text" }], [], ""],
];

/** Reviews: an answer, and what the contract says of it. */
const comments = [{ line: 4, text: "Keep it for a week." }];
const quoted = { revisedPart: "2. Drop the old one.", revisorInstructions: "Keep it for a week." };
const whole = { revisedPart: "", revisorInstructions: "Almost." };
const reviews: readonly [id: string, what: string, answer: Answer, status: string, revisions: object[]][] = [
  ["approved", "an approval", { values: ["approve"] }, "approved", []],
  ["approved-with-comments", "an approval with comments on lines", { values: ["approve"], comments }, "approved", [quoted]],
  ["changes", "a request for changes", { values: ["request_changes"], comments, note: "Almost." }, "recreateWithChanges", [quoted, whole]],
];

export const seamlessRequirements: readonly Requirement[] = [
  ...calls.flatMap(([id, what, args, asked, answers, response]) =>
    define({
      async [`seamless.ask.${id}: ask_user of seamless-agent: ${what}`](harness) {
        const connection = await harness.connect({ tools: ["ask_user"] });
        const call = connection.agent.callTool("ask_user", args);
        const session = await answerNext(connection, ({ questions }) => ({
          answers: answers.map(({ at = 0, ...answer }) => ({ ...answer, questionId: questions[at]?.id ?? "" })),
        }));
        expect(session.questions).toMatchObject(asked);
        expect((session.deadlineAt ?? 0) - session.createdAt).toBe(1_800_000);
        const result = await call;
        expect(result).toMatchObject({ isError: false, texts: [JSON.stringify(responded(response))] });
        expect(result.structuredContent).toMatchObject({ answered: true, sessionId: session.id, ...responded(response) });
      },
    }),
  ),
  ...define({
    async "seamless.ask.title: ask_user of seamless-agent: agentName and title are the title, cut where it is too long"(harness) {
      const { agent, nextSession } = await harness.connect({ tools: ["ask_user"] });
      void agent.callTool("ask_user", { question: "Done?", agentName: "Builder", title: "The shop" }).catch(() => {});
      expect((await nextSession()).title).toBe("Builder: The shop");
      void agent.callTool("ask_user", { question: "Done?", title: "t".repeat(101) }).catch(() => {});
      expect((await nextSession()).title).toBe(`${"t".repeat(99)}…`);
    },
    async "seamless.ask.not-answered: ask_user of seamless-agent: what is no answer is not responded, and says so"(harness) {
      const connection = await harness.connect({ tools: ["ask_user"], timeout: 10_000 });
      const { agent, desk, nextSession } = connection;
      const first = agent.callTool("ask_user", { question: "Drop it?" });
      await desk.cancel((await nextSession()).id, { reason: "Not today" });
      expect(await first).toMatchObject({
        isError: false,
        texts: [JSON.stringify(none(declined))],
        structuredContent: { cancelled: true },
      });
      const second = agent.callTool("ask_user", { question: "Drop it?" });
      const { id } = await nextSession();
      await desk.askBack(id, { text: "Which one?" });
      const back = await second;
      expect(back).toMatchObject({
        texts: [JSON.stringify(none(askedBack(id)))],
        structuredContent: { pending: true, ...none(askedBack(id)) },
      });
      const third = agent.callTool("ask_user", { question: "Drop it now?" });
      const { id: other } = await nextSession();
      await harness.letPass(10_000);
      const text = JSON.stringify(none(silent("10 seconds", other)));
      expect(await third).toMatchObject({ isError: false, text, structuredContent: { timedOut: true, responded: false } });
    },
    async "seamless.ask.ticket: ask_user of seamless-agent: a client's limit gives a ticket, and get_answer the contract's result"(
      harness,
    ) {
      const { agent, desk, nextSession } = await harness.connect({ tools: ["ask_user"], maxWait: 1 });
      const call = agent.callTool("ask_user", { question: "Done?" });
      const { id, questions } = await nextSession();
      await harness.letPass(1_000);
      expect(await call).toMatchObject({ texts: [JSON.stringify(none(ticket(id)))], structuredContent: { pending: true } });
      await desk.answer(id, { answers: [{ questionId: questions[0]?.id ?? "", values: ["Yes."] }] });
      expect(await agent.callTool("get_answer", { sessionId: id })).toMatchObject({ texts: [JSON.stringify(responded("Yes."))] });
    },
    async "seamless.ask.other-fields: a single question with a field of ask_user's own has ask_user's result"(harness) {
      const connection = await harness.connect({ tools: ["ask_user"] });
      const result = await resultOf(connection, "ask_user", { question: "Sure?", type: "confirm" }, { values: ["yes"] });
      expect(JSON.parse(result.text)).toMatchObject({ answered: true, answers: [{ values: ["yes"] }] });
      expect(result.structuredContent).not.toHaveProperty("responded");
    },
    async "seamless.ask.refused: ask_user of seamless-agent: options that are none are refused, and nothing is asked"(harness) {
      const { agent, desk } = await harness.connect({ tools: ["ask_user"] });
      const refused = await agent.callTool("ask_user", { question: "Which?", options: [7] });
      expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(/^Validation error: options/) });
      expect((await desk.list()).items).toEqual([]);
    },
    async "seamless.review.tools: plan_review and walkthrough_review have the contract's fields, and no output schema"(harness) {
      const { agent } = await harness.connect({ tools: ["plan_review", "walkthrough_review"] });
      for (const listed of (await agent.listTools()).slice(0, 2)) {
        expect(Object.keys(Object(listed.inputSchema["properties"]))).toEqual(["plan", "title", "chatId"]);
        expect(listed.inputSchema["required"]).toEqual(["plan"]);
        expect(listed.outputSchema).toBeUndefined();
      }
    },
    async "seamless.review.asked: plan_review shows its plan as a document to review, under its title"(harness) {
      const { agent, nextSession } = await harness.connect({ tools: ["plan_review"] });
      void agent.callTool("plan_review", { plan, title: "The shop", chatId: "c1" }).catch(() => {});
      const session = await nextSession();
      expect(session).toMatchObject({ title: "The shop", asker: { tool: "plan_review" }, questions: [{ type: "review", document: plan }] });
      expect((session.deadlineAt ?? 0) - session.createdAt).toBe(1_800_000);
    },
    async "seamless.review.walkthrough: walkthrough_review is acknowledged instead of approved"(harness) {
      const connection = await harness.connect({ tools: ["walkthrough_review"] });
      const read = await resultOf(connection, "walkthrough_review", { plan }, { values: ["approve"] });
      expect(JSON.parse(read.text)).toMatchObject({ status: "acknowledged", requiredRevisions: [] });
      const again = await resultOf(connection, "walkthrough_review", { plan }, { values: ["request_changes"], comments });
      expect(JSON.parse(again.text)).toMatchObject({ status: "recreateWithChanges", requiredRevisions: [quoted] });
    },
    async "seamless.review.not-answered: plan_review is cancelled if it was declined or nobody answered, and says which"(harness) {
      const { agent, desk, nextSession } = await harness.connect({ tools: ["plan_review"], timeout: 10_000 });
      const cancelled = (reviewId: string) => JSON.stringify({ status: "cancelled", requiredRevisions: [], reviewId });
      const first = agent.callTool("plan_review", { plan });
      const { id } = await nextSession();
      await desk.cancel(id, { reason: "Not today" });
      expect(await first).toMatchObject({ isError: false, texts: [cancelled(id), declined] });
      const second = agent.callTool("plan_review", { plan });
      const { id: other } = await nextSession();
      await harness.letPass(10_000);
      expect(await second).toMatchObject({ isError: false, texts: [cancelled(other), silent("10 seconds", other)] });
    },
    async "seamless.review.pending: plan_review is pending at a client's limit and when the person asks back, and get_answer brings its result"(
      harness,
    ) {
      const { agent, desk, nextSession } = await harness.connect({ tools: ["ask_user", "plan_review"], maxWait: 1 });
      const call = agent.callTool("plan_review", { plan });
      const { id } = await nextSession();
      const pending = JSON.stringify({ status: "pending", requiredRevisions: [], reviewId: id });
      await harness.letPass(1_000);
      expect(await call).toMatchObject({ isError: false, texts: [pending, ticket(id)] });
      await desk.askBack(id, { text: "Which one?" });
      expect(await agent.callTool("get_answer", { sessionId: id })).toMatchObject({ texts: [pending, askedBack(id)] });
      await desk.answer(id, { answers: [{ questionId: "plan", values: ["approve"] }] });
      const result = await agent.callTool("get_answer", { sessionId: id, reply: "The old one." });
      expect(JSON.parse(result.text)).toEqual({ status: "approved", requiredRevisions: [], reviewId: id });
      expect(result.structuredContent).toMatchObject({ answered: true });
    },
    async "seamless.review.refused: plan_review without a plan, or with one that is too long, is an error, and nothing is asked"(harness) {
      const { agent, desk } = await harness.connect({ tools: ["plan_review"] });
      expect(await agent.callTool("plan_review", { plan: " " })).toMatchObject({
        isError: true,
        text: "Validation error: plan is required",
      });
      const long = await agent.callTool("plan_review", { plan: "p".repeat(204_801) });
      expect(long).toMatchObject({ isError: true, text: expect.stringMatching(/^Validation error: plan must have 1 to \d+ bytes$/) });
      expect((await desk.list()).items).toEqual([]);
    },
  }),
  ...reviews.flatMap(([id, what, answer, status, requiredRevisions]) =>
    define({
      async [`seamless.review.${id}: plan_review: ${what}, in the contract's form`](harness) {
        const connection = await harness.connect({ tools: ["plan_review"] });
        const call = connection.agent.callTool("plan_review", { plan });
        const session = await answerNext(connection, () => ({ answers: [{ questionId: "plan", ...answer }] }));
        const text = JSON.stringify({ status, requiredRevisions, reviewId: session.id });
        expect(await call).toEqual({ isError: false, text, texts: [text], structuredContent: undefined });
      },
    }),
  ),
];
