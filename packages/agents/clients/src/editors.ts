import type { Reach, System } from "./client.ts";
import { clientNamed } from "./clients/index.ts";
import { entry, inHome, join } from "./clients/parts.ts";
import type { Ledger } from "./files/ledger.ts";
import { isObject, type JsonObject, valueAt } from "./json.ts";
import { planFiles, type Step } from "./plan.ts";

/**
 * Editors that start agents over the Agent Client Protocol: where they list them, and an entry there that starts `askbox acp` in place of an
 * agent. To add an editor, add a row to `editors`, and run the tests: they write its golden file.
 */

export const editorNames = ["zed", "jetbrains", "vscode"] as const;
export type EditorName = (typeof editorNames)[number];

/** The file that lists an editor's agents, where in it, and what an entry has besides command, arguments and environment. */
interface Editor {
  title: string;
  file(system: System): string;
  at: readonly string[];
  more?: JsonObject;
}

export const editors: Readonly<Record<EditorName, Editor>> = {
  zed: { title: "Zed", file: (system) => ownFile("zed", system), at: ["agent_servers"], more: { type: "custom" } },
  jetbrains: { title: "JetBrains", file: (system) => inHome(system, ".jetbrains", "acp.json"), at: ["agent_servers"] },
  // The settings of its extension ACP Client.
  vscode: { title: "VS Code", file: (system) => join(system, ownFile("vscode", system), "..", "settings.json"), at: ["acp.agents"] },
};

const ownFile = (client: "zed" | "vscode", system: System): string => clientNamed(client).file(system, "user") ?? system.home;

export interface EditorAgent {
  editor: EditorName;
  /** Names it in the editor: "Claude via askbox". */
  title: string;
  /** The agent's command line. */
  command: readonly string[];
}

/** Plans the entry that starts `askbox acp`, which `reach` is, with an agent. Throws `VALIDATION` for a file that can't be changed. */
export function planEditor(
  { ledger, system, reach }: { ledger: Ledger; system: System; reach: Reach & { kind: "stdio" } },
  agent: EditorAgent,
): Step[] {
  const { at, more, file } = editors[agent.editor];
  const path = file(system);
  const start = { ...more, command: reach.command, args: [...reach.args, "--", ...agent.command], env: { ...reach.env } };
  const changes = [entry([...at, `${agent.title} via askbox`], start)];
  return planFiles(ledger, ownerOf(agent), [{ path, format: "jsonc", changes }], [system.home, join(system, path, "..")]);
}

/** Plans how to remove that entry. */
export const planEditorRemoval = (ledger: Ledger, agent: EditorAgent): Step[] => planFiles(ledger, ownerOf(agent), [], []);

const ownerOf = ({ editor, title }: EditorAgent): string => `acp ${editor} ${title}`;

/** The entries of editors that start an agent through askbox; `silent` says what to do if that agent's settings have it ask nothing. */
export function editorAgents(system: System): { editor: string; file: string; name: string; silent?: string | undefined }[] {
  return Object.values(editors).flatMap(({ title, file, at }) => {
    const entries = valueAt(system.settings(file(system)), at);
    return Object.entries(isObject(entries) ? entries : {}).flatMap(([name, started]) => {
      const args = isObject(started) && Array.isArray(started["args"]) ? started["args"].map(String) : [];
      const end = args.indexOf("--");
      if (end === -1 || !args.slice(0, end).includes("acp")) return [];
      const command = args.slice(end + 1).join(" ");
      return [{ editor: title, file: file(system), name, silent: silences.find(([of]) => of.test(command))?.[1](system) }];
    });
  });
}

const silences: readonly [RegExp, (system: System) => string | undefined][] = [
  [/\bclaude-agent-acp\b/, silentClaude],
  [/\bopencode\b/, silentOpencode],
];

function silentClaude(system: System): string | undefined {
  const { mode } = clientNamed("claude-code");
  const { file = "", at = "", value } = mode?.read(system, "user") ?? {};
  if (mode === undefined || mode.asks(value)) return undefined;
  const now = value === undefined ? "isn't set" : `is ${JSON.stringify(value)}`;
  return `${at} ${now} in ${file}, so Claude decides by itself and asks little or nothing; set that to "${mode.asking}", or choose a mode in the editor.`;
}

function silentOpencode(system: System): string | undefined {
  const file = clientNamed("opencode").file(system, "user") ?? "";
  if (JSON.stringify(valueAt(system.settings(file), ["permission"]) ?? null).includes('"ask"')) return undefined;
  return `it asks only what ${file} tells it to, which is nothing; add "permission": {"bash": "ask", "edit": "ask"}.`;
}
