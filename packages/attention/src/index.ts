export { type AttentionProblemsOptions, attentionProblems } from "./attention-problems.ts";
export { defaultAttention } from "./default-attention.ts";
export type { AttentionSettings } from "./modes/channel.ts";
export { type AttentionMode, attentionModes, callsPeople } from "./modes/index.ts";
export { type OpenInBrowserOptions, openInBrowser } from "./modes/open-in-browser.ts";
export type { Ending, Environment, Runner, Running, RunRequest, RunResult } from "./run/runner.ts";
export { type Attention, type AttentionOptions, startAttention } from "./start-attention.ts";
export { type Notice, noticeOf } from "./text/notice.ts";
