import { AskboxError } from "@askbox/core";
import { isPrivate, readJsonFile, refuseForeign, writePrivateFile } from "@askbox/home";
import * as z from "zod";
import { type PlatformName, platformNames } from "./platforms.ts";

const id = z.string().min(1).max(64);
const name = z.string().min(1).max(100);

/** A person who may answer, by the id of their account. */
const personSchema = z.object({ id, name });
/** A chat in which questions are posted: one person's own, or a group. */
const placeSchema = z.object({
  chat: id,
  /** Whose chat it is; absent for a group, in which every person of the desk may answer. */
  person: id.optional(),
  title: name.optional(),
  /** Whether an action can be allowed once from there. Denying it always can. */
  allow: z.boolean(),
});
/** Somebody is being added: who sends the code. */
const pairingSchema = z.object({
  /** SHA-256 of the code. */
  hash: z.string().length(64),
  /** Wall time, ms. */
  until: z.number(),
  person: name.optional(),
  group: z.boolean(),
  allow: z.boolean(),
  /** Wrong codes so far. */
  wrong: z.number().default(0),
  /** Why it ended without success; a sentence. */
  refused: z.string().optional(),
});
const deskSchema = z.object({
  secrets: z.record(z.string(), z.string().max(4_096)),
  bot: z.object({ id, name: z.string().max(200) }),
  /** Where the service is, if it isn't the usual place. */
  api: z.url({ protocol: /^https?$/ }).optional(),
  /** Seconds until a question that nobody has seen is posted. */
  after: z.number().min(0).max(86_400).default(20),
  /** The URL under which people reach the inbox from there. */
  inbox: z.url({ protocol: /^https?$/ }).optional(),
  people: z.array(personSchema).max(100),
  places: z.array(placeSchema).max(100),
  pairing: pairingSchema.optional(),
});

export type Person = z.output<typeof personSchema>;
export type PairedChat = z.output<typeof placeSchema>;
export type Pairing = z.output<typeof pairingSchema>;
export type DeskSettings = z.output<typeof deskSchema>;
export type ChatSettings = Partial<Record<PlatformName, DeskSettings>>;

/** The chat desks of a home. Throws `FORBIDDEN` if others could have written the file, and `VALIDATION` if it is damaged. */
export function readChatSettings(path: string): ChatSettings {
  refuseForeign(path);
  const file = readJsonFile(path);
  if (file === undefined) return {};
  if (!isPrivate(path)) throw new AskboxError("FORBIDDEN", `Others can read ${path}, which holds a bot's token; run chmod 600 on it.`);
  const desks = z.object(Object.fromEntries(platformNames.map((each) => [each, deskSchema.optional()]))).safeParse(file);
  if (desks.success) return desks.data as ChatSettings;
  throw new AskboxError("VALIDATION", `${path} is damaged; remove it, and run askbox chat again.`);
}

/** Changes the desk of one platform, in a file that only its owner can read; undefined removes it. */
export function changeDesk(path: string, platform: PlatformName, change: (desk: DeskSettings | undefined) => DeskSettings | undefined) {
  const settings = readChatSettings(path);
  const { [platform]: present, ...others } = settings;
  const next = change(present);
  writePrivateFile(path, `${JSON.stringify({ ...others, ...(next && { [platform]: next }) }, undefined, 2)}\n`);
}
