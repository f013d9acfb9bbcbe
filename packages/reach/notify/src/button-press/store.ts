import { randomBytes } from "node:crypto";
import type { AnswerSet, SharedState } from "@askbox/core";
import * as z from "zod";
import { stateFile } from "../queue/state-file.ts";
import type { WarnOnce } from "../warn-once.ts";

/** What the buttons of one message answer. */
export interface Handed {
  /** Where it was shown. */
  place: string;
  sessionId: string;
  answers: AnswerSet[];
  /** Wall time in ms. */
  at: number;
}

/** Where tokens are remembered. */
export interface ButtonPressStore {
  /** The key that signs them. */
  key(): Promise<string>;
  /** Stores what was handed out, and returns its name: the given one, or the one of an equal message before. */
  put(random: string, handed: Handed): Promise<string>;
  get(random: string): Promise<Handed | undefined>;
  /** Up to where the button presses at a place were read. */
  readUntil(place: string): string | undefined;
  saveRead(place: string, id: string): void;
  written(): Promise<void>;
}

/** How long tokens are remembered: longer than a server keeps a press, in ms. */
const lifetime = 2 * 86_400_000;
/** The maximum number of messages whose buttons are remembered; beyond it, the oldest are forgotten. */
const maxHanded = 2_000;

const handedSchema = z.object({
  place: z.string(),
  sessionId: z.string(),
  answers: z.array(z.object({ answers: z.array(z.object({ questionId: z.string(), values: z.array(z.string()) })) })).max(10),
  at: z.number(),
});
const fileSchema = z.object({
  key: z.string().min(32).catch(""),
  handed: z.record(z.string(), handedSchema.catch({ place: "", sessionId: "", answers: [], at: 0 })).catch({}),
  read: z.record(z.string(), z.string().max(64).catch("")).catch({}),
});

const newKey = () => randomBytes(32).toString("base64url");
const isEqual = (one: Handed, other: Handed) =>
  one.place === other.place && one.sessionId === other.sessionId && JSON.stringify(one.answers) === JSON.stringify(other.answers);

export interface ButtonPressStoreOptions {
  /** Stores the key and what was handed out. Without it, a restart forgets them. */
  file: string | undefined;
  /** What several hubs share: each of them may then take a press. */
  shared?: SharedState | undefined;
  now(): number;
  warnOnce: WarnOnce;
}

/** Remembers tokens in a file, or where several hubs share them. */
export async function buttonPressStore({ file: path, shared, now, warnOnce }: ButtonPressStoreOptions): Promise<ButtonPressStore> {
  const file = stateFile(
    path,
    {
      unreadable: "The buttons that were pushed could not be read; those on phones do nothing now.",
      unsaved: "The buttons that were pushed could not be saved; after a restart they may do nothing.",
    },
    warnOnce,
  );
  const stored = fileSchema.safeParse((await file.load()) ?? {});
  const kept = stored.success ? stored.data : { key: "", handed: {}, read: {} };
  const handed = new Map(Object.entries(kept.handed));
  const read = new Map(Object.entries(kept.read).filter(([, id]) => id !== ""));
  const key = kept.key === "" ? newKey() : kept.key;
  const save = () => file.save(() => ({ key, handed: Object.fromEntries(handed), read: Object.fromEntries(read) }));
  const own: ButtonPressStore = {
    key: async () => key,
    async put(random, message) {
      for (const [name, { at }] of handed) if (at < now() - lifetime || handed.size >= maxHanded) handed.delete(name);
      const same = [...handed].find(([, present]) => isEqual(present, message))?.[0];
      if (same !== undefined) return same;
      handed.set(random, message);
      save();
      await file.written();
      return random;
    },
    get: async (random) => handed.get(random),
    readUntil: (place) => read.get(place),
    saveRead(place, id) {
      read.set(place, id);
      save();
    },
    written: () => file.written(),
  };
  return shared === undefined ? own : { ...own, ...sharedTokens(shared) };
}

/** One key for all hubs, and each message's answers by its name. */
function sharedTokens(shared: SharedState): Pick<ButtonPressStore, "key" | "put" | "get"> {
  const nameOfKey = "press-key";
  return {
    async key() {
      const present = await shared.get(nameOfKey);
      if (present !== undefined) return present;
      const made = newKey();
      return (await shared.swap(nameOfKey, undefined, made, null)) ? made : ((await shared.get(nameOfKey)) ?? made);
    },
    async put(random, handed) {
      await shared.swap(`press:${random}`, undefined, JSON.stringify(handed), lifetime);
      return random;
    },
    async get(random) {
      const found = await shared.get(`press:${random}`);
      return found === undefined ? undefined : handedSchema.parse(JSON.parse(found));
    },
  };
}
