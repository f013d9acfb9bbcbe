import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { catalogueFiles } from "./catalogues.ts";
import {
  agentPlugin,
  claudeMarketplace,
  claudePlugin,
  codexMarketplace,
  cursorMarketplace,
  cursorPlugin,
  geminiExtension,
  installLinks,
  pluginFiles,
  pluginFolder,
} from "./plugins.ts";

/**
 * The published formats: Agent Plugins 1.0.0 after its JSON Schemas (agent-plugins.org/schemas/1.0.0, closed objects), Claude Code's after
 * its plugin reference (code.claude.com/docs/en/plugins-reference), Codex' marketplace after developers.openai.com/codex/plugins/build,
 * Cursor's after the schema of the manifest in its repository (cursor/plugins, schemas/plugin.schema.json, a closed object) and its page on
 * install links (cursor.com/docs/mcp/install-links), Gemini CLI's after its extension reference (docs/extensions/reference.md in the
 * package), VS Code's link after code.visualstudio.com/api/extension-guides/ai/mcp.
 */
const name = z
  .string()
  .max(64)
  .regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/);
const author = z.strictObject({ name: z.string(), email: z.string().optional(), url: z.string().optional() });
const about = {
  version: z.string().regex(/^\d+\.\d+\.\d+/),
  description: z.string().min(1),
  author,
  homepage: z.url(),
  repository: z.url(),
  license: z.string(),
};
const stdio = { command: z.string().min(1), args: z.array(z.string()) };
const hook = z.strictObject({
  type: z.literal("command"),
  command: z.string().min(1),
  timeout: z.number().int().positive(),
  asyncRewake: z.boolean().optional(),
});
const inTree = z.string().regex(/^\.\/(?!.*\.\.)/);

/** Not the reserved `trust`: an extension can't have it. */
const geminiFormat = z.strictObject({
  name,
  version: about.version,
  description: about.description,
  mcpServers: z.record(name, z.strictObject({ ...stdio, timeout: z.number().int().positive() })),
});

/** What a client reads from its link. */
function linked(client: keyof typeof installLinks, parameter?: string, decode = (text: string) => text): unknown {
  const { search, searchParams } = new URL(installLinks[client]);
  const text = parameter === undefined ? decodeURIComponent(search.slice(1)) : (searchParams.get(parameter) ?? "");
  return JSON.parse(decode(text));
}

const formats = [
  [
    z.strictObject({ $schema: z.literal("https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"), name, ...about }),
    agentPlugin().plugin,
  ],
  [
    z.strictObject({
      $schema: z.literal("https://agent-plugins.org/schemas/1.0.0/mcp.schema.json"),
      mcpServers: z.record(name, z.strictObject({ type: z.literal("stdio"), ...stdio })),
    }),
    agentPlugin().mcp,
  ],
  [
    z.strictObject({
      name,
      ...about,
      mcpServers: z.record(name, z.strictObject({ ...stdio, alwaysLoad: z.boolean() })),
      hooks: z.record(
        z.enum([
          ...["PreToolUse", "PermissionRequest", "PermissionDenied", "Elicitation", "PostToolUse", "PostToolUseFailure"],
          ...["Stop", "SubagentStop", "SessionStart", "SessionEnd"],
        ] as const),
        z.array(z.strictObject({ matcher: z.string().optional(), hooks: z.array(hook) })),
      ),
    }),
    claudePlugin(),
  ],
  [
    z.strictObject({
      name,
      owner: author,
      metadata: z.strictObject({ description: z.string() }),
      plugins: z.array(z.strictObject({ name, source: inTree, description: z.string(), category: z.string() })),
    }),
    claudeMarketplace(),
  ],
  [
    z.strictObject({
      name,
      owner: author,
      metadata: z.strictObject({ description: z.string() }),
      plugins: z.array(z.strictObject({ name, source: inTree, description: z.string() })),
    }),
    cursorMarketplace(),
  ],
  [
    z.strictObject({
      name,
      displayName: z.string(),
      ...about,
      author: author.omit({ url: true }),
      category: z.string(),
      mcpServers: inTree,
      skills: inTree,
      commands: inTree,
    }),
    cursorPlugin(),
  ],
  [z.array(geminiFormat), [geminiExtension(""), geminiExtension(`/${pluginFolder}`)]],
  [z.strictObject(stdio), linked("cursor", "config", (text) => Buffer.from(text, "base64").toString())],
  [z.strictObject({ name, ...stdio }), linked("vscode")],
  [
    z.strictObject({
      name,
      interface: z.strictObject({ displayName: z.string() }),
      plugins: z.array(
        z.strictObject({
          name,
          source: z.strictObject({ source: z.literal("local"), path: inTree }),
          category: z.string(),
          policy: z.strictObject({
            installation: z.enum(["AVAILABLE", "INSTALLED_BY_DEFAULT", "NOT_AVAILABLE"]),
            authentication: z.enum(["ON_INSTALL", "ON_USE"]),
          }),
        }),
      ),
    }),
    codexMarketplace(),
  ],
] as const;

const root = fileURLToPath(new URL("../../../", import.meta.url));
const files = new Map([...pluginFiles(), ...catalogueFiles]);
const problems = formats.flatMap(([format, value]) => {
  const { error } = format.safeParse(value);
  return error === undefined ? [] : [z.prettifyError(error)];
});
for (const [path, text] of files) {
  const file = join(root, path);
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) problems.push(`${path} is stale: run pnpm plugins.`);
}
const written = globSync(["plugins/**", "deploy/docker-mcp/**", ".claude-plugin/**", ".cursor-plugin/**", ".agents/**"], {
  cwd: root,
  withFileTypes: true,
})
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll("\\", "/"));
for (const path of written) if (!files.has(path)) problems.push(`${path} is no longer written by pnpm plugins: remove it.`);

for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
