/** Agents that speak the Agent Client Protocol, by the names that `askbox run` and `askbox install` take: as their packages from npm install them. */
export const acpAgents: ReadonlyMap<string, { title: string; command: readonly string[] }> = new Map([
  ["claude", { title: "Claude", command: ["claude-agent-acp"] }],
  ["codex", { title: "Codex", command: ["codex-acp"] }],
  ["copilot", { title: "Copilot", command: ["copilot", "--acp"] }],
  ["gemini", { title: "Gemini", command: ["gemini", "--acp"] }],
  ["opencode", { title: "OpenCode", command: ["opencode", "acp"] }],
]);

export const agentNames = [...acpAgents.keys()].join(", ");
