import { approvalHooks, clientNamed, maxWaitOf, questionHook, skillTexts, wakeHooks } from "@askbox/clients";
import { defaultTool } from "@askbox/mcp";
import manifest from "../package.json" with { type: "json" };
import { launcher } from "./plugin-launcher.ts";
import { serverJson } from "./server-json.ts";

/** Where the plugin is in the repository; marketplaces refer to it, since some clients don't take a marketplace's own folder as a plugin. */
export const pluginFolder = "plugins/askbox";

const { version, license, homepage } = manifest;
const author = { name: "askbox" };
const description = serverJson.description;
export const repository = "https://github.com/askbox/askbox";
const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** A client's own variable for the folder of a plugin. */
const rootOf = (variable: string): string => `\${${variable}}`;
/** What a client starts. */
const server = (folder: string, ...words: string[]) => ({ command: "node", args: [`${folder}/launch.mjs`, ...words] });
/** What a link adds to a client, which has no folder of a plugin. */
const published = { command: "npx", args: ["-y", manifest.name, "mcp"] };

/** The plugin of the vendor-neutral specification, which Codex, Cursor and VS Code load. */
export function agentPlugin() {
  const schema = (name: string) => `https://agent-plugins.org/schemas/1.0.0/${name}.schema.json`;
  return {
    plugin: { $schema: schema("plugin"), name: "askbox", version, description, author, homepage, repository, license },
    // No --max-wait: a plugin can't raise a client's limit, so that a call gets its ticket in time for the client's default.
    mcp: { $schema: schema("mcp"), mcpServers: { askbox: { type: "stdio", ...server(rootOf("PLUGIN_ROOT"), "mcp") } } },
  };
}

/** Claude Code's hooks, the same as `askbox install claude-code --with-hooks --approvals` writes, with those that wake. */
function claudeHooks(): Record<string, object[]> {
  // A hook of the person's own settings has precedence, so that nothing is asked twice.
  const command = (event: string) => `node "\${CLAUDE_PLUGIN_ROOT}/launch.mjs" --unless-set ${event} hook claude-code`;
  const reach = { kind: "stdio", command: "", args: [], env: {} } as const;
  const overruled = whereOverruled(`${command("PermissionDenied")} --overruled`);
  const approvals = approvalHooks({ approvals: "", overruled, reach }).map(([event]): [string, object[]] => {
    const all = approvalHooks({ approvals: command(event), overruled, reach });
    return [event, all.flatMap(([name, hook]) => (name === event ? [hook] : []))];
  });
  const { PreToolUse = [], Stop = [], ...others } = Object.fromEntries(approvals);
  const wakes = wakeHooks({ wake: `${command("Stop")} --wake`, reach });
  const wakeAt = (event: string) => wakes.flatMap(([name, hook]) => (name === event ? [hook] : []));
  return {
    PreToolUse: [questionHook(command("PreToolUse")), ...PreToolUse],
    ...others,
    Stop: [...Stop, ...wakeAt("Stop")],
    SessionStart: wakeAt("SessionStart"),
  };
}

/** Runs before every call, so it looks for the hub's mark before it starts a program. */
function whereOverruled(command: string): string {
  const folders = `"$ASKBOX_HOME" "\${XDG_DATA_HOME:-$HOME/.local/share}/askbox" "$HOME/Library/Application Support/askbox"`;
  return `for folder in ${folders}; do if [ -e "$folder/overruled" ]; then ${command}; break; fi; done`;
}

export function claudePlugin() {
  return {
    name: "askbox",
    version,
    description,
    author,
    homepage,
    repository,
    license,
    mcpServers: {
      askbox: { ...server(rootOf("CLAUDE_PLUGIN_ROOT"), "--unless-set", "mcp", "mcp", "--approvals", "claude-code"), alwaysLoad: true },
    },
    // Not in hooks/hooks.json, which Codex would run as well.
    hooks: claudeHooks(),
  };
}

export const claudeMarketplace = () => ({
  name: "askbox",
  owner: author,
  metadata: { description },
  plugins: [{ name: "askbox", source: `./${pluginFolder}`, description, category: "productivity" }],
});

export function cursorMarketplace() {
  const { plugins, ...about } = claudeMarketplace();
  return { ...about, plugins: plugins.map(({ category: _, ...plugin }) => plugin) };
}

export const codexMarketplace = () => ({
  name: "askbox",
  interface: { displayName: "askbox" },
  plugins: [
    {
      name: "askbox",
      source: { source: "local", path: `./${pluginFolder}` },
      policy: { installation: "AVAILABLE", authentication: "ON_INSTALL" },
      category: "Productivity",
    },
  ],
});

/** Cursor's own plugin, which its marketplaces ask for; it has the vendor-neutral one's parts. */
export const cursorPlugin = () => ({
  name: "askbox",
  displayName: "askbox",
  version,
  description,
  author,
  homepage,
  repository,
  license,
  category: "productivity",
  mcpServers: "./mcp.json",
  skills: "./skills/",
  commands: "./commands/",
});

/** Gemini CLI's extension, in the plugin's folder and, since Gemini CLI installs whole repositories, in the root. */
export function geminiExtension(folder: "" | `/${string}`) {
  const client = clientNamed("gemini-cli");
  const words = ["mcp", "--tools", client.tools.join(), "--max-wait", String(maxWaitOf(client))];
  const askbox = { ...server(`${rootOf("extensionPath")}${folder}`, ...words), timeout: (client.raisedTo ?? 0) * 1_000 };
  return { name: "askbox", version, description, mcpServers: { askbox } };
}

/** The links that add the published server to a client. */
export const installLinks = {
  cursor: `cursor://anysphere.cursor-deeplink/mcp/install?${new URLSearchParams({
    name: "askbox",
    config: Buffer.from(JSON.stringify(published)).toString("base64"),
  })}`,
  vscode: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: "askbox", ...published }))}`,
};

const slashCommand = `---
description: Ask the person a question through askbox
argument-hint: [what to ask]
---

Put this to the person with askbox's \`${defaultTool}\` tool, as one to three short questions with concrete options where there are any, and
go on with the answer: $ARGUMENTS
`;

/** Every file of the tree, by its path in the repository. */
export function pluginFiles(): ReadonlyMap<string, string> {
  const { plugin, mcp } = agentPlugin();
  return new Map([
    [".claude-plugin/marketplace.json", json(claudeMarketplace())],
    [".agents/plugins/marketplace.json", json(codexMarketplace())],
    [".cursor-plugin/marketplace.json", json(cursorMarketplace())],
    ["gemini-extension.json", json(geminiExtension(`/${pluginFolder}`))],
    [`${pluginFolder}/plugin.json`, json(plugin)],
    [`${pluginFolder}/mcp.json`, json(mcp)],
    [`${pluginFolder}/.claude-plugin/plugin.json`, json(claudePlugin())],
    [`${pluginFolder}/.cursor-plugin/plugin.json`, json(cursorPlugin())],
    [`${pluginFolder}/gemini-extension.json`, json(geminiExtension(""))],
    [`${pluginFolder}/commands/askbox.md`, slashCommand],
    [`${pluginFolder}/skills/askbox/SKILL.md`, skillTexts([defaultTool]).skill],
    [`${pluginFolder}/launch.mjs`, launcher(version)],
  ]);
}
