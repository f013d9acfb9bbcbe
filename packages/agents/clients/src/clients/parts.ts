import { posix, win32 } from "node:path";
import { AskboxError } from "@askbox/core";
import type { ClientName } from "@askbox/core/clients";
import { defaultTool } from "@askbox/mcp";
import { type Reach, type Setup, type System, tokenVariable } from "../client.ts";
import type { Change } from "../formats/format.ts";
import type { Json, JsonObject } from "../json.ts";
import type { FileChange } from "../plan.ts";

/** Joins paths like the system's platform. */
export const join = (system: System, ...parts: string[]): string => (system.platform === "win32" ? win32 : posix).join(...parts);

/** Below the person's home folder. */
export const inHome = (system: System, ...parts: string[]): string => join(system, system.home, ...parts);
export const inProject = (system: System, ...parts: string[]): string => join(system, system.project, ...parts);

/** The settings folder by the XDG convention. */
export function inConfig(system: System, ...parts: string[]): string {
  const chosen = system.env["XDG_CONFIG_HOME"];
  return chosen?.startsWith("/") ? join(system, chosen, ...parts) : inHome(system, ".config", ...parts);
}

/** A folder that an environment variable can override. */
export const chosen = (system: System, variable: string, ...otherwise: string[]): string =>
  system.env[variable] || inHome(system, ...otherwise);

/** The entry itself, which only askbox uses. */
export const entry = (at: readonly string[], to: Json): Change => ({ kind: "set", at, to, ours: true });
export const set = (at: readonly string[], to: Json): Change => ({ kind: "set", at, to });
export const include = (at: readonly string[], item: Json): Change => ({ kind: "include", at, item });

/** Command, arguments and, if any, environment. */
export function stdio({ command, args, env }: Reach & { kind: "stdio" }): JsonObject {
  return { command, args: [...args], ...(Object.keys(env).length > 0 && { env: { ...env } }) };
}

/** The same, for a client with approvals: its server keeps the hub, to which the hooks bring its requests. */
export function attending<Start extends Reach>(reach: Start, { approvals }: Pick<Setup, "approvals">, client: ClientName): Start {
  if (approvals === undefined || reach.kind !== "stdio") return reach;
  return { ...reach, args: [...reach.args, "--approvals", client] };
}

/** The header with the token: from the environment, in the client's own syntax, or literally. */
export function authorization({ token }: { token?: string | undefined }, fromEnvironment: (variable: string) => string): JsonObject {
  return { Authorization: `Bearer ${token ?? fromEnvironment(tokenVariable)}` };
}

/** A file that only askbox uses. */
export const whole = (path: string, text: string): FileChange => ({ path, format: "text", changes: [{ kind: "whole", text }] });
/** A block in a text that the person owns. */
export const block = (path: string, text: string): FileChange => ({ path, format: "text", changes: [{ kind: "block", text }] });

/** The text for a file that agents read completely: the requested preference and skill. */
export function spoken({ prefer, skill, tools }: Setup, own: string | undefined): string | undefined {
  const [tool = defaultTool] = tools;
  const instead = own === undefined ? "in the chat or with another tool" : `with your own \`${own}\` tool`;
  const sentences = [
    ...(prefer
      ? [
          `To ask the person you work for anything, call askbox's \`${tool}\` tool rather than asking ${instead}: they may not be at this client, and askbox reaches them wherever they are.`,
        ]
      : []),
    ...(skill === undefined ? [] : [skill.instruction]),
  ];
  return sentences.length === 0 ? undefined : sentences.join("\n\n");
}

export function unsupported(sentence: string): AskboxError {
  return new AskboxError("VALIDATION", sentence);
}

/** For clients whose own tool cannot be disabled in a file. */
export function refuseExclusive({ exclusive }: Setup, title: string): void {
  if (exclusive) throw unsupported(`${title} has no setting to disable its own question tool; use --prefer.`);
}

export function refuseHooks({ hookCommand }: Setup, title: string): void {
  if (hookCommand !== undefined) throw unsupported(`${title} has no hook that can carry a question; --with-hooks is for claude-code.`);
}
