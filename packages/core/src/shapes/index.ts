/**
 * Converts a person's answers to the formats of other agents' ask tools, and back; and an inbox's changes to the events of `cn_ask_user`.
 */
export {
  type AskUserEvent,
  type AskUserQuestion,
  answersFromAskUser,
  askUserEvents,
  askUserQuestions,
  watchAskUser,
} from "./ask-user-events.ts";
export { answersAsClaudeCode, answersFromClaudeCode, type ClaudeCodeAnswers, claudeCodeKeys } from "./claude-code.ts";
export { answersAsCodex, answersFromCodex, type CodexAnswers } from "./codex.ts";
export { answersAsGeminiCli, answersFromGeminiCli, type GeminiCliAnswers } from "./gemini-cli.ts";
export { answersAsOpenCode, answersFromOpenCode, type OpenCodeAnswers } from "./opencode.ts";
export { answersAsVsCode, answersFromVsCode, type VsCodeAnswer, type VsCodeAnswers, vsCodeKeys } from "./vs-code.ts";
