import { createHash, randomInt, timingSafeEqual } from "node:crypto";
import { AskboxError } from "@askbox/core";
import { cut } from "@askbox/core/questions";
import { changeAlone, isPrivate, readJsonFile, refuseForeign, writePrivateFile } from "@askbox/home";
import * as z from "zod";
import { type PlatformName, platformNames } from "./platforms.ts";

/**
 * Who may answer in which chat, and how they got there: the settings' file, and the codes by which people are added. Nobody gets a right
 * that they were not given, and five wrong codes end an attempt.
 */

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

/** Letters and digits that are not mistaken for each other. */
const alphabet = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";
/** How long a code is good for, in ms. */
export const codeLifetime = 600_000;
/** Wrong codes after which a pairing ends. */
const maxWrong = 5;

/** A code of eight characters, 39 bits, as `K7QF-2M9X`. */
export function createCode(): string {
  const letters = Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]);
  return `${letters.slice(0, 4).join("")}-${letters.slice(4).join("")}`;
}

export const hashOfCode = (code: string): string => createHash("sha256").update(code.replace(/\W/g, "").toUpperCase()).digest("hex");

/** A code in a text such as `/start K7QF-2M9X`. */
interface SentCode {
  code: string;
  /** Whether it is written as the terminal shows it, or behind a command: a word of eight letters may be an answer. */
  isSure: boolean;
}

/** Two halves of the alphabet. */
const codeForm = /^[A-HJKMNP-Z2-9]{4}(-?)[A-HJKMNP-Z2-9]{4}$/i;

/** Undefined if there is none. */
export function codeIn(text: string): SentCode | undefined {
  const [first = "", second, ...more] = text.slice(0, 200).trim().split(/\s+/);
  // Telegram names the bot behind a command in a group.
  const isCommand = /^[/!]?[a-z]{4,6}$/i.test(first.split("@", 1)[0] ?? "");
  const code = second === undefined ? first : isCommand && more.length === 0 ? second : "";
  const [, hyphen] = codeForm.exec(code) ?? [];
  return hyphen === undefined ? undefined : { code, isSure: hyphen !== "" || second !== undefined };
}

/** A person in a chat. */
export type Member = Person & { allow: boolean };

/** Who sent a code, and where. */
interface Sender {
  chat: string;
  isGroup: boolean;
  chatTitle?: string | undefined;
  from: { id: string; name: string };
}

export interface Paired {
  /** The desk's settings from now on. */
  desk: DeskSettings;
  tell: string;
}

/**
 * Takes a code that somebody sent: the desk's next settings, and what they are told. Undefined if nobody is being added, and for what may be
 * no code: a word in a group, or of somebody who may answer there.
 */
export function takeCode(desk: DeskSettings, { code, isSure }: SentCode, sender: Sender, now: number): Paired | undefined {
  const { pairing, ...rest } = desk;
  if (pairing === undefined || pairing.refused !== undefined || pairing.until <= now) return undefined;
  if (!isSure && (sender.isGroup || memberOf(desk, sender) !== undefined)) return undefined;
  const refuse = (refused: string): Paired => ({ desk: { ...rest, pairing: { ...pairing, refused } }, tell: refused });
  if (!timingSafeEqual(Buffer.from(hashOfCode(code)), Buffer.from(pairing.hash))) {
    const wrong = pairing.wrong + 1;
    if (wrong >= maxWrong) return refuse("Too many wrong codes; run the command again for a new one.");
    return { desk: { ...rest, pairing: { ...pairing, wrong } }, tell: "This is not the code that the terminal shows." };
  }
  if (sender.isGroup && !pairing.group)
    return refuse(
      "The code was sent in a group, where others could read it. Run the command again, and send the new code to the bot alone; for a group, add --group.",
    );
  if (!sender.isGroup && pairing.group) return { desk, tell: "Send this code in the group." };
  const next = joined(rest, pairing, sender);
  if (next.people.length > maxPeople || next.places.length > maxPeople)
    return refuse(`There are ${maxPeople} people or chats already; remove one by askbox chat remove.`);
  return {
    desk: next,
    tell: sender.isGroup ? "Questions come to this group from now on." : "Paired. Questions come here from now on.",
  };
}

/** Who may answer in a chat, and whether they can allow; undefined for anybody else. */
export function memberOf({ places, people }: DeskSettings, { chat, from }: Pick<Sender, "chat" | "from">): Member | undefined {
  const member = places.find((place) => place.chat === chat)?.members.find(({ person }) => person === from.id);
  const person = people.find(({ id }) => id === from.id);
  return member && person && { ...person, allow: member.allow };
}

/** Only the sender, only there: others, and the sender's rights elsewhere, stay as they are. */
function joined(desk: DeskSettings, { person, allow }: Pairing, { chat, isGroup, chatTitle, from }: Sender): DeskSettings {
  const name = person ?? desk.people.find(({ id }) => id === from.id)?.name ?? cut(from.name, 100);
  const people = [...desk.people.filter(({ id }) => id !== from.id), { id: from.id, name: name === "" ? "A person" : name }];
  const present = desk.places.find((each) => each.chat === chat)?.members ?? [];
  const members = [...present.filter((member) => member.person !== from.id), { person: from.id, allow }];
  const place = { chat, ...(isGroup && { title: cut(chatTitle ?? "", 100) || "A group" }), members };
  return { ...desk, people, places: [...desk.places.filter((each) => each.chat !== chat), place] };
}

/** A group has another id now: its people and their rights go with it. */
export function moved(desk: DeskSettings, from: string, to: string): DeskSettings {
  const former = desk.places.find(({ chat }) => chat === from);
  if (former === undefined) return desk;
  const known = desk.places.find(({ chat }) => chat === to)?.members ?? [];
  const members = [...former.members.filter(({ person }) => !known.some((one) => one.person === person)), ...known];
  return { ...desk, places: [...desk.places.filter(({ chat }) => chat !== from && chat !== to), { ...former, chat: to, members }] };
}
