export { type PromptCall, type PromptResult, promptEvent, promptResult, promptWithoutPerson } from "./approvals/claude-code.ts";
export { codexSocketSource, readCodexDecision, readOverruled } from "./approvals/codex.ts";
export { approvalSources, hookSources } from "./approvals/index.ts";
export { hookTimeout } from "./approvals/tool-event.ts";
export {
  type Client,
  entryName,
  httpReach,
  maxWaitOf,
  type Reach,
  type Scope,
  type Setup,
  type System,
  scopes,
  stdioReach,
  tokenVariable,
} from "./client.ts";
export { approvalHooks, questionHook, wakeHooks } from "./clients/claude-code.ts";
export { clientNamed, clients } from "./clients/index.ts";
export { diffOf } from "./diff.ts";
export { type EditorAgent, editorAgents, editorNames, editors, planEditor, planEditorRemoval } from "./editors.ts";
export { type FeedbackEntry, feedbackEntries, replaceable } from "./feedback-servers.ts";
export { type Ledger, openLedger } from "./files/ledger.ts";
export { type HookEvent, type HookOutcome, hookReply, readHookEvent } from "./hook/claude-hook.ts";
export { lastOf, readTranscript } from "./hook/transcript.ts";
export {
  autoRegister,
  describeInstall,
  type InstallOptions,
  ownerOf,
  type Plan,
  planInstall,
  planUninstall,
  planWorktree,
  promptBlocks,
  settingsFiles,
  type UninstallOptions,
  worktreeAgent,
} from "./install.ts";
export { valueAt } from "./json.ts";
export type { FileChange, Step } from "./plan.ts";
export { skillTexts } from "./skill.ts";
export { type ClientStatus, clientStatuses, type EntryLaunch, entryLaunch, isFound, systemOf } from "./status.ts";
export { planMove, type WrittenAddress, writtenAddresses } from "./written-addresses.ts";
