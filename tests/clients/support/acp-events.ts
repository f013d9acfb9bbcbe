/** Events of `askbox acp`, as the hub gets them. */
const options = [
  { optionId: "always", name: "Always allow", kind: "allow_always" },
  { optionId: "once", name: "Allow once", kind: "allow_once" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
];
const common = {
  conversation: "ses_1",
  agent: { name: "codex-acp", title: "Codex" },
  cwd: "/work",
  askbox: { folder: "/work", branch: "main" },
};
const diff = { type: "diff", path: "/work/a.ts", oldText: "x\n", newText: "y\n" };

export const acpEvents = {
  decided: { ...common, type: "over", run: "one/1", reason: "It was answered in Zed.", decided: { by: "Zed", value: "agent:always" } },
  command: {
    ...common,
    type: "permission",
    run: "one/1",
    toolCall: { toolCallId: "c1", title: "npm test", kind: "execute", rawInput: { command: "npm test", timeout: 5 } },
    options,
  },
  edit: {
    ...common,
    type: "permission",
    run: "one/2",
    toolCall: {
      toolCallId: "c2",
      title: "Edit",
      kind: "edit",
      content: [diff, { type: "content", content: { type: "text", text: "Why" } }],
    },
    options,
  },
  plan: {
    ...common,
    type: "permission",
    run: "one/3",
    description: "Ready?",
    toolCall: { toolCallId: "c3", kind: "switch_mode", rawInput: { plan: "# Do it" }, locations: [{ path: "/work/b.ts" }] },
    options,
  },
  form: {
    ...common,
    type: "form",
    run: "one/4",
    message: "Which database?",
    schema: { type: "object", properties: { db: { type: "string", enum: ["pg", "sqlite"] } }, required: ["db"] },
  },
  over: { ...common, type: "over", run: "one/1", reason: "It was answered in Zed." },
};
