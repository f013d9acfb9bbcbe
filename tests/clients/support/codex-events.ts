/** Events as Codex 0.169.0 sent them, with folders and ids replaced. */
const common = {
  session_id: "01997c3e-2b1d-7a60-9c55-0d4f4f1b7a11",
  turn_id: "01997c3e-3f02-7d41-8a4e-5a0f6c2b9d20",
  transcript_path: "/home/ada/.codex/sessions/2026/11/22/rollout-01997c3e.jsonl",
  cwd: "/home/ada/engine",
  hook_event_name: "PermissionRequest",
  model: "gpt-5.5-codex",
  permission_mode: "default",
};

const patch = `*** Begin Patch
*** Update File: src/a.ts
@@ function first() {
 const a = 1;
-const b = 2;
+const b = 3;
*** Add File: proof.txt
+one
+two
*** Delete File: old.txt
*** End Patch`;

export const codexEvents = {
  command: {
    ...common,
    tool_name: "Bash",
    tool_input: { command: "touch proof.txt", description: "May I make the proof file?" },
  },
  patch: { ...common, tool_name: "apply_patch", tool_input: { command: patch } },
  mcpTool: { ...common, tool_name: "mcp__github__create_issue", tool_input: { title: "A bug", body: "It fails." } },
  ownTool: { ...common, tool_name: "mcp__askbox__ask_user", tool_input: { questions: [] } },
} as const;
