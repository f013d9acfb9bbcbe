import { expect } from "vitest";
import { fourFields, type Requirement } from "../requirement.ts";

const options = [
  { label: "A", description: "the first" },
  { label: "B", description: "the second" },
];

/** Input sent to `ask_user` by models trained on other tools, and how it is understood. */
const understood: readonly [tool: string, args: unknown, asked: Record<string, unknown>][] = [
  [
    "Claude Code's AskUserQuestion",
    { questions: [{ question: "Which?", header: "Pick", options, multiSelect: true }] },
    { question: "Which?", header: "Pick", type: "multi-select" },
  ],
  [
    "OpenCode's question",
    { questions: [{ question: "Which?", header: "Pick", options, multiple: true, custom: false }] },
    { type: "multi-select", allowOther: false },
  ],
  ["Gemini CLI's ask_user", { questions: [{ question: "Sure?", header: "Sure", type: "yesno" }] }, { type: "confirm", header: "Sure" }],
  [
    "Codex's request_user_input",
    { questions: [{ id: "pick", header: "Pick", question: "Which?", options }] },
    { id: "pick", type: "select" },
  ],
  [
    "VS Code's vscode_askQuestions",
    { questions: [{ header: "Pick", question: "Which?", message: "It matters.", options, allowFreeformInput: false }] },
    { question: "Which?\n\nIt matters.", type: "select", allowOther: false },
  ],
  [
    "ask_user_questions",
    { questions: [{ prompt: "Which?", title: "Pick", options, multiSelect: false }] },
    { question: "Which?", header: "Pick", type: "select" },
  ],
  ["questions as JSON text", { questions: JSON.stringify([{ question: "Which?" }]) }, { question: "Which?", type: "text" }],
  ["a question instead of an array", { questions: { question: "Which?" } }, { question: "Which?", type: "text" }],
  [
    "null for what is left out",
    { questions: [{ question: "Which?", type: null, options: null, required: null }] },
    { type: "text", required: true },
  ],
];

export const otherShapeRequirements: readonly Requirement[] = understood.map(([tool, args, asked]) => ({
  id: `shape.${tool.replaceAll(/\W+/g, "-")}`,
  sentence: `ask_user understands the shape of ${tool}`,
  async run(harness) {
    const { agent, desk, nextSession } = await harness.connect();
    const call = agent.callTool("ask_user", args);
    const session = await nextSession();
    expect(session.questions).toMatchObject([asked]);
    const [{ id = "", type = "" } = {}] = session.questions;
    const values = [type === "confirm" ? "yes" : type === "text" ? "words" : "B"];
    await desk.answer(session.id, { answers: [{ questionId: id, values }] });
    expect(fourFields(await call)).toEqual({ answered: true, cancelled: false, timedOut: false, answers: [{ questionId: id, values }] });
  },
}));
