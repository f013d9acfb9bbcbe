/** Requests as announced by OpenCode 1.18.33, with folders and ids replaced, and with what askbox's plugin adds: the call, the first session and the servers. */
const session = "ses_df8599902ffezmiyQF0t16RQgT";
const common = {
  id: "per_207a70566001poM0H16KORTG0O",
  sessionID: session,
  always: ["*"],
  tool: { messageID: "msg_207a70219001sdi37pnhCT2r42", callID: "call_fc13b71hd0v" },
};
const announced = { type: "permission.asked", root: session, servers: ["git", "git hub", "askbox"] } as const;

const diff = `Index: /home/ada/engine/w.txt
===================================================================
--- /home/ada/engine/w.txt
+++ /home/ada/engine/w.txt
@@ -0,0 +1,2 @@
+one
+two
`;

export const opencodeEvents = {
  command: {
    ...announced,
    properties: {
      ...common,
      permission: "bash",
      patterns: ["touch proof.txt"],
      metadata: { command: "touch proof.txt" },
      always: ["touch *"],
    },
    call: { tool: "bash", input: { command: "touch proof.txt", description: "Make proof" } },
  },
  edit: {
    ...announced,
    properties: { ...common, permission: "edit", patterns: ["w.txt"], metadata: { filepath: "/home/ada/engine/w.txt", diff } },
    call: { tool: "write", input: { filePath: "/home/ada/engine/w.txt", content: "one\ntwo\n" } },
  },
  patch: {
    ...announced,
    properties: {
      ...common,
      permission: "edit",
      patterns: ["a.ts", "old.ts"],
      metadata: {
        filepath: "a.ts, old.ts",
        diff,
        files: [
          { filePath: "/home/ada/engine/a.ts", relativePath: "a.ts", type: "update", patch: diff, additions: 2, deletions: 0 },
          {
            filePath: "/home/ada/engine/old.ts",
            relativePath: "new.ts",
            type: "move",
            patch: "",
            additions: 0,
            deletions: 0,
            movePath: "/home/ada/engine/new.ts",
          },
        ],
      },
    },
    call: { tool: "apply_patch", input: { patchText: "*** Begin Patch\n*** End Patch" } },
  },
  fetch: {
    ...announced,
    properties: {
      ...common,
      permission: "webfetch",
      patterns: ["https://example.com/a"],
      metadata: { url: "https://example.com/a", format: "text" },
    },
    call: { tool: "webfetch", input: { url: "https://example.com/a", format: "text" } },
  },
  mcpTool: {
    ...announced,
    properties: { ...common, permission: "git_hub_create_issue", patterns: ["*"], metadata: {} },
    call: { tool: "git_hub_create_issue", input: { title: "A bug", body: "It fails." } },
  },
  folder: {
    ...announced,
    properties: {
      ...common,
      permission: "external_directory",
      patterns: ["/etc/*"],
      always: ["/etc/*"],
      metadata: { command: "cat /etc/hosts", directories: ["/etc"], patterns: ["/etc/*"] },
    },
    call: { tool: "bash", input: { command: "cat /etc/hosts", description: "Read hosts" } },
  },
  subagent: {
    ...announced,
    properties: {
      ...common,
      sessionID: "ses_df8516a5cffeDaMsQAcTuxeH3Q",
      permission: "bash",
      patterns: ["touch sub.txt"],
      metadata: { command: "touch sub.txt" },
      always: ["touch *"],
    },
    call: { tool: "bash", input: { command: "touch sub.txt", description: "x" } },
  },
  ownTool: {
    ...announced,
    properties: { ...common, permission: "askbox_ask_user", patterns: ["*"], metadata: {} },
    call: { tool: "askbox_ask_user", input: { questions: [] } },
  },
  question: {
    ...announced,
    properties: { ...common, permission: "question", patterns: ["*"], metadata: {} },
    call: { tool: "question", input: { questions: [] } },
  },
} as const;
