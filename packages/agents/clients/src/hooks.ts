// What a hook, a server and the hub need to bring a client's requests to people: without what reads and writes settings, which they would
// load at every start.
export { type PromptCall, type PromptResult, promptEvent, promptResult, promptWithoutPerson } from "./approvals/claude-code.ts";
export { codexSocketSource, readCodexDecision, readOverruled } from "./approvals/codex.ts";
export { approvalSources, hookSources } from "./approvals/index.ts";
export { hookTimeout } from "./approvals/tool-event.ts";
export { type HookEvent, type HookOutcome, hookReply, readHookEvent } from "./hook/claude-hook.ts";
export { lastOf, readTranscript } from "./hook/transcript.ts";
