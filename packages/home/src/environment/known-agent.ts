/** By agent, the variables that it sets for its commands, but that its editor's terminal does not set for people. */
const marks: readonly (readonly [agent: string, variables: readonly string[]])[] = [
  ["Claude Code", ["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"]],
  ["Codex", ["CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID", "CODEX_CI"]],
  ["OpenCode", ["OPENCODE"]],
  ["Gemini CLI", ["GEMINI_CLI"]],
  ["Qwen Code", ["QWEN_CODE"]],
  ["Cursor", ["CURSOR_AGENT"]],
  ["GitHub Copilot CLI", ["COPILOT_CLI"]],
  ["Amp", ["AMP_CURRENT_THREAD_ID"]],
  ["Goose", ["GOOSE_TERMINAL"]],
  ["Cline", ["CLINE_ACTIVE"]],
  ["Augment", ["AUGMENT_AGENT"]],
  ["an agent", ["AI_AGENT"]],
];

/**
 * The coding agent whose shell this is; undefined in a person's own. An agent can ask but never answer, so `askbox answer` and `askbox
 * cancel` refuse to run there. This prevents an honest agent's mistake; it cannot stop a hostile one.
 */
export function knownAgent(env: Readonly<Record<string, string | undefined>> = process.env): string | undefined {
  return marks.find(([, variables]) => variables.some((name) => isSet(env[name])))?.[0];
}

const isSet = (value: string | undefined) => value !== undefined && value !== "" && value !== "0" && value !== "false";
