import { AskboxError } from "@askbox/core";
import { changeAlone, isPrivate, readJsonFile, refuseForeign, writePrivateFile } from "@askbox/home";
import * as z from "zod";
import { type PlatformName, platformNames } from "./platforms.ts";

/** People of a desk, and its chats. */
export const maxPeople = 100;

const id = z.string().min(1).max(64);
const name = z.string().min(1).max(100);

/** A person who may answer, by the id of their account. */
const personSchema = z.object({ id, name });
/** A chat in which questions are posted: one person's own, or a group. */
const placeSchema = z.object({
  chat: id,
  /** A group's; absent for a person's own chat. */
  title: name.optional(),
  /** Who may answer there. `allow`: whether they can allow an action once; denying it they always can. */
  members: z.array(z.object({ person: id, allow: z.boolean() })).max(maxPeople),
});
/** A chat as an earlier askbox stored it: in a group, every person of the desk could answer, and allow if the group could. */
const formerPlaceSchema = z.object({ chat: id, person: id.optional(), title: name.optional(), allow: z.boolean() });
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
const commonSchema = z.object({
  secrets: z.record(z.string(), z.string().max(4_096)),
  bot: z.object({ id, name: z.string().max(200) }),
  /** Where the service is, if it isn't the usual place. */
  api: z.url({ protocol: /^https?$/ }).optional(),
  /** Seconds until a question that nobody has seen is posted. */
  after: z.number().min(0).max(86_400).default(20),
  /** The URL under which people reach the inbox from there. */
  inbox: z.url({ protocol: /^https?$/ }).optional(),
  people: z.array(personSchema).max(maxPeople),
  pairing: pairingSchema.optional(),
});
const deskSchema = z.union([
  commonSchema.extend({ places: z.array(placeSchema).max(maxPeople) }),
  commonSchema
    .extend({ places: z.array(formerPlaceSchema).max(maxPeople) })
    .transform(({ places, ...desk }) => ({ ...desk, places: placesOfFormer(places, desk.people) })),
]);

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

/**
 * Changes the desk of one platform, as it is in the file at that moment, and returns it; undefined removes it. Only its owner can read the
 * file.
 */
export function changeDesk(
  path: string,
  platform: PlatformName,
  change: (desk: DeskSettings | undefined) => DeskSettings | undefined,
): Promise<DeskSettings | undefined> {
  return changeAlone(path, () => {
    const settings = readChatSettings(path);
    const { [platform]: present, ...others } = settings;
    const next = change(present);
    if (next !== present) writePrivateFile(path, `${JSON.stringify({ ...others, ...(next && { [platform]: next }) }, undefined, 2)}\n`);
    return next;
  });
}

/**
 * Nobody gets a right that they were not given. Who can allow in their own chat, or has none, keeps that in a group that could; who was
 * paired alone without it was not meant to.
 */
function placesOfFormer(places: readonly z.output<typeof formerPlaceSchema>[], people: readonly Person[]): PairedChat[] {
  const groups = places.filter(({ person }) => person === undefined);
  const mayAllow = ({ id }: Person) => {
    const own = places.filter(({ person }) => person === id);
    return (own.length > 0 ? own : groups).every(({ allow }) => allow);
  };
  return places.map(({ chat, person, title = "A group", allow }) =>
    person === undefined
      ? { chat, title, members: people.map((each) => ({ person: each.id, allow: allow && mayAllow(each) })) }
      : { chat, members: [{ person, allow }] },
  );
}
