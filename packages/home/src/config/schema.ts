import { limits } from "@askbox/core";
import { clientNames } from "@askbox/core/clients";
import { attentionModes, attentionRuleSchema, quietHoursSchema, webhookSchema } from "@askbox/notify";
import * as z from "zod";
import { parseDuration } from "./duration.ts";

/** An answer must still exist when its agent returns. */
const minRetention = "1h";

const durationOrOff = z.union([z.int().min(0), z.string(), z.null()]).transform((value, context): number | null => {
  if (value === null || value === "off" || value === "never") return null;
  const duration = typeof value === "number" ? value : parseDuration(value);
  const refuse = (message: string, params?: { least: string }) => {
    context.addIssue({ code: "custom", message, params });
    return z.NEVER;
  };
  if (duration === undefined) return refuse('must be a duration such as "90d" or "12h", or "off"');
  if (duration < (parseDuration(minRetention) ?? 0)) {
    return refuse(`must be at least ${minRetention}, or "off"`, { least: minRetention });
  }
  return duration;
});

const retentionSchema = durationOrOff.describe(
  'How long settled sessions are kept: a duration of at least an hour, such as "90d" or "12h", milliseconds, or "off" to keep them forever.',
);

/** A client's hook must end before the client ends it. */
const maxHold = 600_000;

const holdSchema = z
  .union([z.int().min(0), z.string()])
  .transform((value, context): number => {
    const duration = typeof value === "number" ? value : value === "off" ? 0 : parseDuration(value);
    if (duration !== undefined && duration <= maxHold) return duration;
    context.addIssue({ code: "custom", message: 'must be a duration of up to 10m, such as "20s", or "off"' });
    return z.NEVER;
  })
  .describe(
    'How long an agent waits after a model has denied one of its calls, so that a person can overrule that at once: a duration of up to 10m, such as "20s", milliseconds, or "off".',
  );

/** A denial ends by itself after a day. */
const digestSpan = { least: 60_000, most: 43_200_000 };

const digestSchema = z
  .union([z.int().min(0), z.string()])
  .transform((value, context): number => {
    const duration = typeof value === "number" ? value : value === "off" ? 0 : parseDuration(value);
    if (duration === 0 || (duration !== undefined && duration >= digestSpan.least && duration <= digestSpan.most)) return duration;
    context.addIssue({ code: "custom", message: 'must be a duration from 1m to 12h, such as "15m", or "off"' });
    return z.NEVER;
  })
  .describe(
    'Whether you are told of what models have denied, by attention `notify` or `command`, pushes, chats, and those of webhooks whose events name denials.digest: a duration from 1m to 12h, such as "15m", in which denials are told together, milliseconds, or "off".',
  );

const storeSchema = z
  .string()
  .min(1)
  .describe("Where sessions are kept: memory, sqlite (askbox.db in the data folder), sqlite:PATH, or redis://HOST:PORT for several hubs.");

const limitsSchema = z
  .strictObject({
    asksPerMinute: z.int().min(1).default(100).describe("Asks per minute, by token and agent id."),
    asksPerMinutePerToken: z
      .int()
      .min(1)
      .optional()
      .describe("Asks per minute, by token, for all its agent ids together. Default: 10 times limits.asksPerMinute."),
    pending: z.int().min(1).default(1_000).describe("Pending sessions, by token and agent id."),
    pendingPerToken: z.int().min(1).optional().describe("Pending sessions, by token. Default: 10 times limits.pending."),
    pendingBytesPerToken: z
      .int()
      .min(1_024)
      .default(67_108_864)
      .describe("Bytes of pending sessions with everything stored for them, by token."),
    requestsPerMinute: z.int().min(1).default(60_000).describe("Requests of any kind per minute over REST, MCP and WebSocket, by token."),
    requestBytes: z.int().min(1_024).default(262_144).describe("The largest request in bytes."),
    fileBytes: z.int().min(1).default(20_000_000).describe("The largest file of an answer in bytes."),
    sessionFileBytes: z.int().min(1).default(50_000_000).describe("All files of one session in bytes."),
    allFileBytes: z.int().min(1).default(2_000_000_000).describe("All files that the hub stores in bytes."),
    fileBytesPerToken: z
      .int()
      .min(1)
      .optional()
      .describe("Bytes of a token's uploads and the pictures of its questions. Default: half of limits.allFileBytes."),
    browsers: z.int().min(1).default(500).describe("Logged-in browsers; beyond this number, the least recently used one is logged out."),
  })
  .prefault({});

const tlsSchema = z
  .strictObject({
    cert: z.string().min(1).optional().describe("The hub's certificate with its chain, as a PEM file; relative to config.json's folder."),
    key: z.string().min(1).optional().describe("The certificate's private key, as a PEM file without a passphrase."),
  })
  .prefault({});

const wakeLevel = z.enum(["off", "open", "gone"]);

const wakeRuleSchema = z
  .strictObject({
    client: z.string().min(1).optional().describe("Only agents of this client, by the name that it reports or its title."),
    project: z.string().min(1).optional().describe("Only agents in this folder, and those inside it."),
    wake: wakeLevel.describe("How far these agents are woken."),
  })
  .refine(({ client, project }) => client !== undefined || project !== undefined, "must name a client or a project");
/** Claims that say which repository a job is of: without one, every repository of a public service would be let in. */
const pinning = ["repository", "repository_id", "project_path", "project_id", "sub"];

const jobSchema = z
  .strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z0-9][\w.@-]{0,49}$/)
      .describe("The machine's name in the inbox."),
    issuer: z
      .url({ protocol: /^https?$/ })
      .refine((url) => /^https:|^http:\/\/127\.0\.0\.1[:/]/.test(url), "must begin with https")
      .describe("Who signs the job's token, such as https://token.actions.githubusercontent.com or https://gitlab.com."),
    audience: z.string().min(1).max(200).default("askbox").describe("For whom the job requests its token."),
    claims: z
      .record(z.string(), z.union([z.string(), z.array(z.string()).min(1)]))
      .refine((claims) => pinning.some((name) => Object.hasOwn(claims, name)), `must have one of ${pinning.join(", ")}`)
      .describe("What the token must say, exactly: the repository, and the branch (`ref`) or the environment."),
    minutes: z.int().min(1).max(1_440).default(60).describe("How long the job can ask, at most."),
  })
  .describe("A CI job that may ask.");

/** `config.json`: every setting has a default and may be omitted. */
export const configSchema = z.strictObject({
  $schema: z.string().optional().describe("Where the JSON Schema of this file is, for editors."),
  timeout: z
    .int()
    .min(limits.timeout.min)
    .max(limits.timeout.max)
    .default(limits.timeout.default)
    .describe("How long a question waits by default, in milliseconds."),
  port: z.int().min(0).max(65_535).optional().describe("The hub's port; 0 lets the system choose. Default: the one it used last."),
  socket: z
    .string()
    .min(1)
    .optional()
    .describe("The path of a socket at which the hub also listens, for containers and tunnels. Default: hub.sock in the data folder."),
  host: z.string().min(1).default("127.0.0.1").describe("The address that the hub listens on. Addresses other than loopback need hosts."),
  hosts: z
    .array(z.string().min(1))
    .default([])
    .describe("Host names, with or without a port, under which the hub can be reached besides loopback."),
  retention: retentionSchema.prefault("90d"),
  ran: durationOrOff
    .prefault("off")
    .describe(
      'How long what ran without a person is kept, the newest 10,000 actions: a duration of at least an hour, such as "7d", or "off".',
    ),
  attention: z
    .enum(attentionModes)
    .optional()
    .describe("How you are notified of a question while no surface is connected. Default: browser on a desktop, otherwise none."),
  attentionCommand: z
    .string()
    .min(1)
    .optional()
    .describe("The command line to run for attention `command`; a shell runs it, with the question's details in its environment."),
  attentionFor: z
    .array(attentionRuleSchema)
    .max(100)
    .default([])
    .describe("Other settings for the questions of a client, a project or a machine; the first entry that matches counts."),
  quietHours: quietHoursSchema
    .optional()
    .describe(
      'Hours in which nobody is notified, such as "22:00-07:00", in the hub\'s time zone. What is still unseen then is announced when they end.',
    ),
  notifyText: z.boolean().default(true).describe("Whether notifications may show titles and questions."),
  store: storeSchema.default("sqlite"),
  space: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "must be 1 to 40 lower-case letters, digits and hyphens")
    .optional()
    .describe("The team's space, if several teams share a Redis. Each space has separate questions, tokens and browsers."),
  idleExit: z
    .number()
    .min(0)
    .max(2_000_000)
    .default(300)
    .describe("Seconds after which a background hub exits when nobody is connected and nothing is pending; 0 for never."),
  limits: limitsSchema,
  webhooks: z.array(webhookSchema).max(20).default([]).describe("Webhooks to notify when sessions open and settle."),
  jobs: z.array(jobSchema).max(50).default([]).describe("CI jobs that may join with the OIDC token of their service, instead of a secret."),
  tls: tlsSchema.describe("With both files, the hub serves over TLS."),
  allowAnswerFromAgents: z
    .boolean()
    .default(false)
    .describe("Whether commands that answer, or that create tokens and login links, work inside a coding agent's shell."),
  allowClientForms: z
    .boolean()
    .default(false)
    .describe("Whether answers given in an MCP client's own form count (`askbox mcp --surfaces inbox,client`)."),
  mcpEvents: z
    .enum(["off", "poll", "webhook"])
    .default("off")
    .describe(
      "Whether agents may follow their questions as MCP events: not (off), by asking for them (poll), or also by having the hub send them to an address that the agent names (webhook).",
    ),
  mcpEventHosts: z
    .array(z.string().min(1).max(300))
    .max(100)
    .default([])
    .describe(
      'Hosts to which MCP events may be sent although they are inside your network or have another port than 443, such as "hooks.example.lan:8443".',
    ),
  holdDenials: holdSchema.prefault("off"),
  denialDigest: digestSchema.prefault("off"),
  autoRegister: z
    .array(z.enum(clientNames))
    .default([])
    .describe(
      "Clients to whose settings askbox adds itself when its hub or `askbox mcp` starts. It stays there until `askbox uninstall`, or until you remove the client from this list.",
    ),
  wake: wakeLevel
    .default("open")
    .describe(
      "Whether an answer wakes an agent that no longer waits for it: never (off), while its conversation is open (open), or also by resuming one that has gone, in the background (gone).",
    ),
  wakeFor: z
    .array(wakeRuleSchema)
    .max(100)
    .default([])
    .describe("Other values of wake for the agents of a client or a project; the first entry that matches counts."),
  keys: z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .default({})
    .describe("Key bindings of the terminal inbox by action, replacing the defaults; press `?` there for the actions."),
  theme: z
    .record(z.string(), z.string())
    .default({})
    .describe('Styles of the terminal inbox by token, such as {"accent": "bold #ff8800"}, replacing the defaults.'),
  undo: z
    .number()
    .min(0)
    .max(60)
    .default(5)
    .describe("Seconds during which an answer given in the terminal can be undone before it is sent; `--once` sends it at once."),
  logLevel: z.enum(["debug", "info", "warn", "error"]).default("info").describe("The minimum level that is logged."),
});

/** All settings, with defaults. `retention` is in milliseconds, null to keep sessions forever. */
export type Config = z.output<typeof configSchema>;
/** The input from a `config.json` or flags. */
export type ConfigInput = z.input<typeof configSchema>;

/** The JSON Schema of `config.json`, for editors. */
export function configJsonSchema(): Record<string, unknown> {
  return { ...z.toJSONSchema(configSchema, { io: "input" }), title: "askbox config.json" };
}
