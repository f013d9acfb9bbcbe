import { attentionModes } from "@askbox/attention";
import { limits } from "@askbox/core";
import * as z from "zod";
import { parseDuration } from "./duration.ts";
import { webhookSchema } from "./webhook-schema.ts";

/** The clients that askbox can set itself up in. */
export const clientNames = [
  "claude-code",
  "codex",
  "opencode",
  "cursor",
  "vscode",
  "gemini-cli",
  "antigravity",
  "windsurf",
  "zed",
] as const;
export type ClientName = (typeof clientNames)[number];

const retentionSchema = z
  .union([z.int().min(0), z.string(), z.null()])
  .transform((given, context): number | null => {
    if (given === null || given === "off" || given === "never") return null;
    const duration = typeof given === "number" ? given : parseDuration(given);
    if (duration !== undefined) return duration;
    context.addIssue({ code: "custom", message: 'must be a duration such as "90d" or "12h", or "off"' });
    return z.NEVER;
  })
  .describe('How long settled sessions are kept: a duration such as "90d" or "12h", milliseconds, or "off" to keep them for good.');

const storeSchema = z
  .string()
  .min(1)
  .describe("Where sessions are kept: memory, sqlite (askbox.db in the data folder), sqlite:PATH, or redis://HOST:PORT for several hubs.");

const limitsSchema = z
  .strictObject({
    asksPerMinute: z.int().min(1).default(100).describe("Asks a minute, by token and agent id."),
    asksPerMinutePerToken: z
      .int()
      .min(1)
      .optional()
      .describe("Asks a minute, by token, whatever agent ids come with it. Default: 10 times limits.asksPerMinute."),
    pending: z.int().min(1).default(1_000).describe("Pending sessions, by token and agent id."),
    pendingPerToken: z.int().min(1).optional().describe("Pending sessions, by token. Default: 10 times limits.pending."),
    pendingBytesPerToken: z
      .int()
      .min(1_024)
      .default(67_108_864)
      .describe("Bytes of pending sessions with all that is stored of them, by token."),
    requestsPerMinute: z
      .int()
      .min(1)
      .default(60_000)
      .describe("Requests a minute over REST, MCP and WebSocket, by token, whatever they ask for."),
    requestBytes: z.int().min(1_024).default(262_144).describe("The largest request in bytes."),
  })
  .prefault({});

const tlsSchema = z
  .strictObject({
    cert: z.string().min(1).optional().describe("The hub's certificate with its chain, as a PEM file; relative to config.json's folder."),
    key: z.string().min(1).optional().describe("The certificate's private key, as a PEM file without a passphrase."),
  })
  .prefault({});

/** `config.json`: every setting has a default; what is left out is not an error. */
export const configSchema = z.strictObject({
  $schema: z.string().optional().describe("Where the JSON Schema of this file is, for editors."),
  timeout: z
    .int()
    .min(limits.timeout.min)
    .max(limits.timeout.max)
    .default(limits.timeout.default)
    .describe("How long a question waits when its ask does not say; milliseconds."),
  port: z.int().min(0).max(65_535).optional().describe("The hub's port; 0 lets the system choose. Default: the one it used last."),
  host: z.string().min(1).default("127.0.0.1").describe("The address that the hub listens on. Any but loopback needs hosts."),
  hosts: z
    .array(z.string().min(1))
    .default([])
    .describe("Host names, with or without a port, under which the hub may be reached besides loopback."),
  retention: retentionSchema.prefault("90d"),
  attention: z
    .enum(attentionModes)
    .optional()
    .describe("How a person learns of a question while no surface is connected. Default: browser at a desktop, none elsewhere."),
  attentionCommand: z
    .string()
    .min(1)
    .optional()
    .describe("The command line to run for attention `command`; a shell runs it, with what is to be told in its environment."),
  notifyText: z.boolean().default(true).describe("Whether notifications may show titles and questions."),
  store: storeSchema.default("sqlite"),
  space: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "must be 1 to 40 lower-case letters, digits and hyphens")
    .optional()
    .describe(
      "The team whose inbox this is, where several share a Redis: its questions, tokens and browsers are kept apart from all others.",
    ),
  idleExit: z
    .number()
    .min(0)
    .max(2_000_000)
    .default(300)
    .describe("Seconds after which a hub in the background leaves when nobody is connected and nothing is pending; 0 for never."),
  limits: limitsSchema,
  webhooks: z.array(webhookSchema).max(20).default([]).describe("Who else is told of sessions that open and settle."),
  tls: tlsSchema.describe("With both files the hub serves over TLS."),
  allowAnswerFromAgents: z
    .boolean()
    .default(false)
    .describe("Whether the commands that answer, or make tokens and login links, work inside a coding agent's shell."),
  allowClientForms: z
    .boolean()
    .default(false)
    .describe("Whether answers that are given in an MCP client's own form count (`askbox mcp --surfaces inbox,client`)."),
  autoRegister: z
    .array(z.enum(clientNames))
    .default([])
    .describe(
      "Clients in whose settings askbox enters itself when its hub or `askbox mcp` starts. It stays there until `askbox uninstall`, or until it is named here no more.",
    ),
  keys: z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .default({})
    .describe("Keys of the terminal inbox by action, in place of the defaults; `?` there lists the actions."),
  theme: z
    .record(z.string(), z.string())
    .default({})
    .describe('Looks of the terminal inbox by token, such as {"accent": "bold #ff8800"}, in place of the defaults.'),
  undo: z
    .number()
    .min(0)
    .max(60)
    .default(0)
    .describe("Seconds for which the hub holds back an answer given in the terminal, so that it can be taken back."),
  logLevel: z.enum(["debug", "info", "warn", "error"]).default("info").describe("The least important level that is logged."),
});

/** All settings, defaults filled in. `retention` is in milliseconds, null to keep sessions for good. */
export type Config = z.output<typeof configSchema>;
/** What a `config.json` or a flag may hold. */
export type ConfigInput = z.input<typeof configSchema>;

/** The JSON Schema of `config.json`, for editors. */
export function configJsonSchema(): Record<string, unknown> {
  return { ...z.toJSONSchema(configSchema, { io: "input" }), title: "askbox config.json" };
}
