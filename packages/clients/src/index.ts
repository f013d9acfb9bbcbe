export { codexSocketSource, readCodexDecision } from "./approvals/codex-socket.ts";
export { approvalSources, hookSources } from "./approvals/index.ts";
export { hookTimeout } from "./approvals/permission-hook.ts";
export {
  type PromptCall,
  type PromptPlace,
  type PromptResult,
  promptEvent,
  promptResult,
  promptWithoutPerson,
} from "./approvals/prompt-tool.ts";
export { autoRegister } from "./auto-register.ts";
export {
  type Client,
  entryName,
  type Reach,
  type Scope,
  type Setup,
  type SkillTexts,
  type System,
  scopes,
  type TrustedHooks,
  tokenVariable,
  type WorktreeOptions,
} from "./client.ts";
export { approvalHooks, questionHook } from "./clients/claude-code.ts";
export { clientNamed, clients } from "./clients/index.ts";
export { type DescribedFile, describeInstall, settingsFiles } from "./describe.ts";
export { diffOf } from "./diff.ts";
export { type EntryLaunch, entryLaunch } from "./entry-launch.ts";
export { type FeedbackEntry, feedbackEntries, replaceable } from "./feedback-servers.ts";
export { type Ledger, openLedger } from "./files/ledger.ts";
export { answeredInput, questionsOf } from "./hook/ask-user-question.ts";
export { type HookEvent, type HookOutcome, type HookReply, hookReply, readHookEvent } from "./hook/claude-hook.ts";
export { lastOf, readTranscript } from "./hook/transcript.ts";
export { type InstallOptions, ownerOf, type Plan, planInstall, planUninstall, planWorktree, type UninstallOptions } from "./install.ts";
export { valueAt } from "./json.ts";
export type { FileChange, Step } from "./plan.ts";
export { type HttpOptions, httpReach, maxWaitOf, type StdioOptions, stdioReach } from "./reach.ts";
export { skillTexts } from "./skill/skill.ts";
export { type ClientStatus, clientStatuses } from "./status.ts";
export { isFound, systemOf } from "./system.ts";
export { promptBlocks, worktreeAgent } from "./worktree.ts";
export { planMove, type WrittenAddress, writtenAddresses } from "./written-addresses.ts";
