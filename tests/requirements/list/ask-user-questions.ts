import { expect } from "vitest";
import { define, type Requirement, type ServerSettings } from "../requirement.ts";

const settings: ServerSettings = { tools: ["ask_user_questions"], name: "AskUserQuestions" };
const tool = "ask_user_questions";

const framework = {
  prompt: "Which framework?",
  title: "Framework",
  options: [{ label: "React", description: "widely used" }, { label: "Solid" }],
  multiSelect: false,
};
const parts = { ...framework, prompt: "Which parts?", title: "Parts", multiSelect: true };

/** Invalid input, and the text of the error. */
const refused: readonly [what: string, args: unknown, text: string][] = [
  ["an empty array", { questions: [] }, "At least one question is required"],
  ["no arguments", undefined, "At least one question is required"],
  ["null for arguments", null, "At least one question is required"],
  ["five questions", { questions: Array(5).fill(framework) }, "Validation error: questions must be at most 4 items long"],
  [
    "one option",
    { questions: [{ ...framework, options: [{ label: "React" }] }] },
    "Validation error: questions[0].options must be at least 2 items long",
  ],
  [
    "five options",
    { questions: [{ ...framework, options: ["a", "b", "c", "d", "e"].map((label) => ({ label })) }] },
    "Validation error: questions[0].options must be at most 4 items long",
  ],
  [
    "several fields that are wrong",
    {
      questions: [
        { title: 7, options: framework.options },
        { ...framework, multiSelect: "maybe" },
      ],
    },
    "Validation error: questions[0].prompt must be a string; it is missing; questions[0].title must be a string; questions[1].multiSelect must be a boolean",
  ],
  [
    "an option that is offered twice",
    { questions: [{ ...framework, options: [{ label: "a" }, { label: "a" }] }] },
    'Validation error: questions[0] offers the option "a" twice',
  ],
];

export const askUserQuestionsRequirements: readonly Requirement[] = [
  ...define({
    async "auq.discovery: tool discovery: the tool is listed, and its description says what it is for and how to use it"(harness) {
      const { agent } = await harness.connect(settings);
      const tools = await agent.listTools();
      expect(tools.map(({ name }) => name)).toEqual([tool, "get_answer", "get_files"]);
      expect(tools[0]?.description).toMatch(/ask/i);
      expect(tools[0]?.description).toMatch(/use it when/i);
      expect(agent.instructions()).toContain(tool);
    },
    async "auq.annotations: tool annotations: an open world, not read-only, idempotent"(harness) {
      const { agent } = await harness.connect(settings);
      const [listed] = await agent.listTools();
      expect(listed?.annotations).toMatchObject({ openWorldHint: true, readOnlyHint: false, idempotentHint: true });
    },
    // promise: ask-user-questions-limits
    async "auq.schema: the schema: 1-4 questions of prompt, title, 2-4 options of label and description, and multiSelect"(harness) {
      const { agent } = await harness.connect(settings);
      const [listed] = await agent.listTools();
      expect(listed?.inputSchema).toMatchObject({
        properties: {
          questions: {
            minItems: 1,
            maxItems: 4,
            items: {
              properties: {
                prompt: { type: "string" },
                title: { type: "string" },
                options: {
                  minItems: 2,
                  maxItems: 4,
                  items: { properties: { label: { type: "string" }, description: { type: "string" } }, required: ["label"] },
                },
                multiSelect: { type: "boolean" },
              },
            },
          },
        },
        required: ["questions"],
      });
    },
    async "auq.server: the server has the given name, and its instructions tell a model when to ask"(harness) {
      const { agent } = await harness.connect(settings);
      expect(agent.serverName()).toBe("AskUserQuestions");
      expect(agent.instructions()).toContain("Call ask_user_questions when");
    },
    async "auq.accepted: valid questions: four questions of four options are asked unchanged, single or multiple choice"(harness) {
      const { agent, nextSession } = await harness.connect(settings);
      const options = ["a", "b", "c", "d"].map((label) => ({ label, description: `${label}!` }));
      const questions = [framework, parts, { ...framework, options }, { prompt: "p".repeat(5_000), title: "t".repeat(200), options }];
      void agent.callTool(tool, { questions }).catch(() => {});
      const session = await nextSession();
      expect(session.asker.tool).toBe(tool);
      expect(session.questions).toMatchObject([
        { question: "Which framework?", header: "Framework", type: "select", allowOther: true },
        { question: "Which parts?", header: "Parts", type: "multi-select" },
        { options },
        { question: "p".repeat(5_000), header: "t".repeat(200), type: "select" },
      ]);
    },
    async "auq.json-text: valid questions: questions given as JSON text are understood"(harness) {
      const { agent, nextSession } = await harness.connect(settings);
      void agent.callTool(tool, { questions: JSON.stringify([framework]) }).catch(() => {});
      expect((await nextSession()).questions).toMatchObject([{ question: "Which framework?" }]);
    },
  }),
  ...refused.map(
    ([what, args, text]): Requirement => ({
      id: `auq.refused.${what.replaceAll(/\W+/g, "-")}`,
      sentence: `validation: ${what} is an error with details, and nothing is asked`,
      async run(harness) {
        const { agent, desk } = await harness.connect(settings);
        expect(await agent.callTool(tool, args)).toMatchObject({ isError: true, text });
        expect((await desk.list()).items).toEqual([]);
      },
    }),
  ),
  ...define({
    // promise: ask-user-questions-limits
    async "auq.result: successful flow: the text numbers the questions, with chosen labels and descriptions, own words, or that nothing was answered"(
      harness,
    ) {
      const { agent, desk, nextSession } = await harness.connect(settings);
      const call = agent.callTool(tool, { questions: [framework, parts, { ...framework, prompt: "Anything else?" }] });
      const { id, questions } = await nextSession();
      const [first = "", second = ""] = questions.map((question) => question.id);
      await desk.answer(id, {
        answers: [
          { questionId: first, values: ["React"], note: "for now" },
          { questionId: second, values: ["Solid", "React"], customText: "and a bit of my own" },
        ],
        comment: "Be quick.",
      });
      const result = await call;
      expect(result).toMatchObject({ isError: false, structuredContent: undefined });
      expect(result.text).toBe(
        [
          "The person's answers:",
          "1. Framework: Which framework?\n   - React (widely used)\n   - Note: for now",
          "2. Parts: Which parts?\n   - Solid\n   - React (widely used)\n   - In their own words: and a bit of my own",
          "3. Framework: Anything else?\n   - Nothing was answered.",
          "The person's comment: Be quick.",
        ].join("\n\n"),
      );
    },
    async "auq.five-minutes: timeout: a call waits 5 minutes, unless configured otherwise"(harness) {
      const { agent, nextSession } = await harness.connect(settings);
      void agent.callTool(tool, { questions: [framework] }).catch(() => {});
      const { createdAt, deadlineAt } = await nextSession();
      expect((deadlineAt ?? 0) - createdAt).toBe(300_000);
    },
    async "auq.timeout: timeout: an error that says so, and the session's status is timed_out"(harness) {
      const timeout = 10_000;
      const { agent, desk, nextSession } = await harness.connect({ ...settings, timeout });
      const call = agent.callTool(tool, { questions: [framework] });
      const { id, createdAt, deadlineAt } = await nextSession();
      expect((deadlineAt ?? 0) - createdAt).toBe(timeout);
      await harness.letPass(timeout);
      const result = await call;
      expect(result.isError).toBe(true);
      expect(result.text).toContain("did not answer within 10 seconds");
      expect(result.text).toContain("status: timed_out");
      expect((await desk.get(id)).status).toBe("timed_out");
    },
    async "auq.rejected: rejection: a message that says so, with the reason"(harness) {
      const { agent, desk, nextSession } = await harness.connect(settings);
      const call = agent.callTool(tool, { questions: [framework] });
      await desk.cancel((await nextSession()).id, { reason: "None of these." });
      const result = await call;
      expect(result.isError).toBe(false);
      expect(result.text).toContain("The person rejected the questions. Reason: None of these.");
    },
    async "auq.rejected-without-reason: rejection without a reason says that none was given"(harness) {
      const { agent, desk, nextSession } = await harness.connect(settings);
      const call = agent.callTool(tool, { questions: [framework] });
      await desk.cancel((await nextSession()).id);
      expect((await call).text).toContain("No reason was given.");
    },
    async "auq.call-id: each call has a UUID, under which its delivery is recorded"(harness) {
      const { agent, desk, nextSession } = await harness.connect(settings);
      const call = agent.callTool(tool, { questions: [framework] });
      const { id, questions } = await nextSession();
      await desk.answer(id, { answers: [{ questionId: questions[0]?.id ?? "", values: ["Solid"] }] });
      await call;
      await expect
        .poll(async () => (await desk.get(id)).delivery.callId)
        .toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    },
    async "auq.ticket: if the client's limit comes first, the call returns a sentence, and get_answer returns the answer in words"(
      harness,
    ) {
      const { agent, desk, nextSession } = await harness.connect({ ...settings, maxWait: 1 });
      const call = agent.callTool(tool, { questions: [framework] });
      const { id, questions } = await nextSession();
      await harness.letPass(1_000);
      const ticket = await call;
      expect(ticket).toMatchObject({ isError: false, structuredContent: undefined });
      expect(ticket.text).toMatch(new RegExp(`^Pending: .* sessionId ${id}: call get_answer`));
      await desk.answer(id, { answers: [{ questionId: questions[0]?.id ?? "", values: ["Solid"] }] });
      const result = await agent.callTool("get_answer", { sessionId: id });
      expect(result).toMatchObject({ isError: false, structuredContent: undefined });
      expect(result.text).toContain("1. Framework: Which framework?\n   - Solid");
    },
    async "auq.earlier: an answer given while nobody waited comes along as a separate text"(harness) {
      const { agent, desk, nextSession } = await harness.connect({ ...settings, maxWait: 1 });
      const first = agent.callTool(tool, { questions: [framework] });
      const asked = await nextSession();
      await harness.letPass(1_000);
      await first;
      await desk.answer(asked.id, { answers: [{ questionId: asked.questions[0]?.id ?? "", values: ["Solid"] }] });
      const second = agent.callTool(tool, { questions: [parts] });
      const { id, questions } = await nextSession();
      await desk.answer(id, { answers: [{ questionId: questions[0]?.id ?? "", values: ["React"] }] });
      const [own, also] = (await second).texts;
      expect(own).toContain("1. Parts: Which parts?\n   - React");
      expect(own).not.toContain("Solid");
      expect(also).toContain("1. Which framework?\n   - Solid");
    },
  }),
];
