import { createHash, randomInt, timingSafeEqual } from "node:crypto";
import { cut } from "@askbox/core/questions";
import { type DeskSettings, maxPeople, type Pairing, type Person } from "./settings.ts";

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
export interface SentCode {
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
export interface Sender {
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
