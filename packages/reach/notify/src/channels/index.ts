import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { AskboxError, standardPlatform } from "@askbox/core";
import * as z from "zod";
import { type EventType, eventTypes, type NotifyEvent } from "../event.ts";
import { type Environment, isRemote, isWsl, processRunner } from "../run.ts";
import { browser } from "./browser.ts";
import type { ButtonWay, HandedButtons, LocalChannel, ProblemsOptions, RemoteChannel, TargetBase } from "./channel.ts";
import { command } from "./command.ts";
import { notify } from "./notify.ts";
import { ntfy } from "./ntfy.ts";
import type { Outgoing } from "./post.ts";
import { terminal } from "./terminal.ts";
import { webhook } from "./webhook.ts";

const none: LocalChannel = { problems: () => [] };

/** Every channel. */
const localChannels = { browser, notify, terminal, command, none } satisfies Record<string, LocalChannel>;
export const remoteChannels = Object.freeze({ webhook, ntfy });
/** The settings of all remote channels; an entry of the config may only use those of its own. */
export const remoteFields = together(webhook.fields, ntfy.fields);

/** Both; a field of two channels, which would shadow each other, doesn't compile. */
function together<One extends z.ZodRawShape, Other extends z.ZodRawShape & { [name in keyof One]?: never }>(one: One, other: Other) {
  return { ...one, ...other };
}

/** The local channels, by name. */
export type AttentionMode = keyof typeof localChannels;
export const attentionModes = Object.freeze(Object.keys(localChannels)) as readonly AttentionMode[];
/** The remote channels, by name. */
export type WebhookKindName = keyof typeof remoteChannels;
export const webhookKindNames = Object.freeze(Object.keys(remoteChannels)) as readonly WebhookKindName[];
export const defaultWebhookKind: WebhookKindName = "webhook";

export const localChannel = (mode: AttentionMode): LocalChannel => localChannels[mode];

type OwnProblems = Omit<ProblemsOptions, "run"> & { mode: AttentionMode; run?: ProblemsOptions["run"] };

/** Why this mode does not work here: one sentence per problem, with how to fix it. Empty if it works. `run`: real processes by default. */
export async function attentionProblems({ mode, ...options }: OwnProblems): Promise<string[]> {
  return localChannel(mode).problems({ run: processRunner(standardPlatform(globalThis).clock, options.platform), ...options });
}

/** Whether this mode notifies anybody. */
export const notifiesAnyone = (mode: AttentionMode): boolean => localChannel(mode).open !== undefined;

/** The default mode: `browser` on a desktop, `none` without a display or over SSH. */
export function defaultAttention({ env, platform }: { env: Environment; platform: NodeJS.Platform }): AttentionMode {
  if (isRemote(env)) return "none";
  const isDesktop = platform === "darwin" || platform === "win32" || isWsl(env, platform);
  return isDesktop || env["DISPLAY"] || env["WAYLAND_DISPLAY"] ? "browser" : "none";
}

const rows: readonly RemoteChannel[] = Object.values(remoteChannels);
const channelOf = (kind: WebhookKindName): RemoteChannel => remoteChannels[kind];
const words = rows.map((row) => row.words);
const whatIsSent = words.map(({ sends }) => sends).join(", or ");

const text = z.string().min(1);
const httpUrl = z.url({ protocol: /^https?$/, error: "must be a http or https URL" });

/** Seconds that people have to see a question before it is sent to a person elsewhere. */
export const defaultAfter = 20;

/** One entry of `webhooks`: the shared settings, and those of each kind, of which an entry may only use its own kind's. */
export const webhookSchema = z
  .strictObject({
    url: httpUrl.describe(`${["Where to post", ...words.flatMap(({ url = [] }) => url)].join("; ")}.`),
    kind: z
      .enum(webhookKindNames)
      .default(defaultWebhookKind)
      .describe(`${whatIsSent.charAt(0).toUpperCase()}${whatIsSent.slice(1)}.`),
    events: z
      .array(z.enum(eventTypes))
      .min(1)
      .optional()
      .describe(`The events to send. Default: ${words.map(({ events }) => events).join(", ")}.`),
    ...remoteFields,
    secretFile: text.optional().describe(`A file whose first line is ${words.map(({ credential }) => credential).join(", or ")}.`),
    text: z.boolean().default(true).describe("Whether titles, questions and answers are sent."),
    after: z
      .number()
      .min(0)
      .max(86_400)
      .optional()
      .describe(`Seconds until a question that nobody has seen is pushed to a person. Default: ${defaultAfter}.`),
    project: text.optional().describe("Only sessions from this project folder."),
    agentId: text.optional().describe("Only sessions from this agent."),
    machine: text.optional().describe("Only sessions from this machine, by its name in `askbox machines`."),
    inbox: httpUrl.optional().describe("The URL at which the receiver reaches the inbox, used for links to sessions."),
  })
  .superRefine((entry, { addIssue }) => {
    for (const message of problemsOf(entry)) addIssue({ code: "custom", message });
  });
type Entry = z.output<typeof webhookSchema>;

/** A receiver with the settings of its kind. */
export type Target = Omit<Entry, "events" | "secretFile" | "after"> & { events: readonly EventType[]; after: number };

/** What is wrong with an entry, beyond its individual fields; continues a sentence that starts with the entry. */
function problemsOf(entry: Entry & Readonly<Record<string, unknown>>): string[] {
  const { noun, credential, urlProblem, settingsProblem, reader } = channelOf(entry.kind);
  const credentials = rows.map((row) => row.credential);
  const foreign = credentials.filter((name) => name !== credential && entry[name] !== undefined);
  const isTwice = entry.secretFile !== undefined && credentials.some((name) => entry[name] !== undefined);
  const ofUrl = URL.canParse(entry.url) ? urlProblem?.(new URL(entry.url)) : undefined;
  return [
    ...foreign.map((name) => `has no ${name}: ${noun} needs a ${credential}`),
    ...(reader === "program" && entry.after !== undefined ? [`has no after: ${noun} gets every event at once`] : []),
    ...(isTwice ? ["accepts a secret or a secretFile, not both"] : []),
    ...[ofUrl, ofUrl === undefined ? settingsProblem?.(entry) : undefined, credentialProblem(entry)].filter(
      (problem) => problem !== undefined,
    ),
  ];
}

function credentialProblem(entry: { kind: WebhookKindName } & Readonly<Record<string, unknown>>): string | undefined {
  const channel = channelOf(entry.kind);
  const secret = entry[channel.credential];
  return typeof secret === "string" ? channel.credentialProblem?.(secret) : undefined;
}

/**
 * The targets of a config, with their secrets. Throws `VALIDATION` with one sentence if a secret's file cannot be read or contains an
 * invalid secret. `folder`: the config's own.
 */
export function webhookTargets(entries: readonly Entry[], folder: string): Target[] {
  return entries.map(({ secretFile, ...entry }) => {
    const { credential, events } = channelOf(entry.kind);
    const target = { ...entry, events: entry.events ?? events, after: entry.after ?? defaultAfter };
    if (secretFile === undefined) return target;
    const path = resolve(folder, secretFile);
    const complete = { ...target, [credential]: readSecret(path) };
    const problem = credentialProblem(complete);
    if (problem !== undefined)
      throw new AskboxError("VALIDATION", `The webhook with the secret in ${path} ${problem}; fix its first line.`);
    return complete;
  });
}

function readSecret(path: string): string {
  try {
    const [line = ""] = readFileSync(path, "utf8").split(/\r?\n/);
    if (line.trim() !== "") return line.trim();
  } catch (cause) {
    throw new AskboxError("VALIDATION", `The secret of a webhook cannot be read from ${path}; make the file readable or fix webhooks.`, {
      cause,
    });
  }
  throw new AskboxError("VALIDATION", `The file ${path} contains no secret for a webhook; write one on its first line.`);
}

export function requestOf(target: Target, event: NotifyEvent, now: number, handed?: HandedButtons): Outgoing {
  return channelOf(target.kind).request(target, event, now, handed);
}

/** How a person answers there; undefined if they cannot. */
export function answersAt(target: Target): (ButtonWay & { allow: boolean; name: string }) | undefined {
  const { answers } = channelOf(target.kind);
  const who = answers?.of(target);
  return answers && who && { ...answers, ...who };
}

/** A path may be a secret too (a chat's incoming hook, a topic), so only a few letters are shown. */
export function shownUrl({ url }: { url: string }): string {
  const { origin, pathname } = new URL(url);
  return pathname.length <= 5 ? `${origin}${pathname}` : `${origin}${pathname.slice(0, 4)}…`;
}

/** Whether a person reads what is sent there. */
export const isForPerson = ({ kind }: Target): boolean => channelOf(kind).reader === "person";

export function isWanted(
  { events, project, agentId, machine }: TargetBase,
  { type, session: { asker } }: Pick<NotifyEvent, "type" | "session">,
): boolean {
  return (
    events.includes(type) &&
    (project === undefined || asker.project === project) &&
    (agentId === undefined || asker.agentId === agentId) &&
    (machine === undefined || asker.machine === machine)
  );
}
