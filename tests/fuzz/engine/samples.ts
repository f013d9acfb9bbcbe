/** Valid input for mutations. `@@session@@` stands for a pending session that its asker may wait for. */
const answers = [
  { questionId: "q_text", values: ["lathe"], note: "a note" },
  { questionId: "q_select", values: ["sqlite"] },
  { questionId: "q_multi", values: ["linux"], customText: "Plan 9" },
  { questionId: "q_confirm", values: ["yes"] },
];
export const answerSet = { answers, comment: "as discussed" };

export const ask = {
  title: "A new module",
  timeout: 60_000,
  questions: [
    { id: "q_text", question: "What is it called?", type: "text", placeholder: "a name", minLength: 1, maxLength: 90, format: "email" },
    {
      id: "q_select",
      question: "Which one?",
      type: "select",
      options: ["a", { label: "B", value: "b", description: "d", recommended: true }],
    },
    { id: "q_multi", question: "Which ones?", type: "multi-select", options: ["a", "b"], allowOther: false, minChoices: 1, maxChoices: 2 },
    { id: "q_confirm", question: "Really?", type: "confirm", header: "Sure" },
    { id: "q_number", question: "How many?", type: "number", min: 1, max: 9, integer: true, unit: "files", required: false },
    { id: "q_date", question: "When?", type: "date", min: "2026-01-01", required: false },
    { id: "q_rating", question: "How good?", type: "rating", max: 5, minLabel: "bad", required: false },
  ],
};

/** Input of other agents' ask tools. */
export const otherAsks = [
  { question: "Which?", header: "Colour", multiSelect: false, options: [{ label: "Red", description: "warm" }] },
  { questions: [{ question: "Which?", header: "Colour", multiSelect: true, options: [{ label: "Red", description: "warm" }] }] },
  { questions: JSON.stringify(ask.questions.slice(0, 2)) },
];

export const asker = { client: { name: "fuzz", version: "1" }, project: "/srv/engine", branch: "main", agentId: "agent-1" };
export const agent = { name: "fuzz", version: "1" };
const sessionId = "@@session@@";

export const askerRequests = [
  { method: "ask", params: { request: ask, asker, key: "k", maxWait: 0 }, op: "op-1" },
  ...otherAsks.map((request) => ({ method: "ask", params: { request, asker, maxWait: 0 } })),
  { method: "resume", params: { sessionId, maxWait: 1_000, earlier: false } },
  { method: "resume", params: { sessionId, reply: "So.", asker, maxWait: 0 }, op: "op-4" },
  { method: "ask", params: { request: ask, asker, replaces: sessionId, maxWait: 0 }, op: "op-5" },
  { method: "withdraw", params: { sessionId, reason: "no need" }, op: "op-2" },
  { method: "ack", params: { given: [{ sessionId, withReply: true }], callId: "c" } },
  { method: "nack", params: { given: [{ sessionId, withReply: false }] } },
  { method: "collect", params: { asker } },
  { method: "called", params: { tool: "ask_user", status: "ok" } },
  { method: "takesForms" },
  { method: "answeredInForm", params: { sessionId, set: answerSet }, op: "op-3" },
];

export const deskRequests = [
  { method: "list", params: { statuses: ["pending"], project: "/srv", text: "x", limit: 5, cursor: "1700000000000_x", order: "oldest" } },
  { method: "list", params: {} },
  { method: "get", params: { sessionId } },
  { method: "watch", params: { project: "/srv" } },
  { method: "answer", params: { sessionId, set: answerSet, delay: 500 }, op: "op-1" },
  { method: "answer", params: { sessionId, set: answerSet } },
  { method: "recall", params: { sessionId } },
  { method: "cancel", params: { sessionId, reason: "no" } },
  { method: "extend", params: { sessionId, timeout: 60_000 } },
  { method: "getDraft", params: { sessionId } },
  {
    method: "saveDraft",
    params: { sessionId, patch: { fields: { q_text: { values: ["half"], note: "n" }, q_select: { skipped: true } }, comment: "c" } },
  },
  { method: "askBack", params: { sessionId, message: { questionId: "q_text", text: "Why?" } }, op: "op-6" },
  { method: "reply", params: { sessionId, set: answerSet } },
  { method: "attend", params: { sessionId } },
  { method: "listAgents" },
  { method: "addAgent", params: { agent: { id: "builder", name: "Builder", resume: "x" } } },
  { method: "removeAgent", params: { id: "builder" } },
  { method: "status" },
];
