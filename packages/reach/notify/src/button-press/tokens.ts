import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { AnswerSet, SharedState } from "@askbox/core";
import * as z from "zod";
import type { WarnOnce } from "../failures.ts";
import { stateFile } from "../state-file.ts";

/**
 * What the button of a notification carries: a token that stands for one answer to one session, and names neither.
 *
 * `hand` stores what the buttons of a message answer before it is sent, so that the next hub knows them, and signs a token for each.
 * `redeem` checks the signature first: what is forged is not looked up. Tokens are forgotten after two days, or beyond 2,000 messages; a
 * damaged file makes the buttons that people have do nothing, and new ones work.
 */

/** Bytes of randomness, and of the signature. */
const length = 12;
const form = /^a1\.([\w-]{16})\.(\d)\.([\w-]{16})$/;

/** What a token is worth: one answer to one session, and nothing to whoever reads along once it was used. */
interface Press {
  /** Identifies what was handed out. */
  random: string;
  /** Which of its buttons. */
  index: number;
  handed: Handed;
  answer: AnswerSet;
}

/** Tokens for the buttons of messages: each is good for one answer to one session, at one place. They name neither. */
export interface ButtonTokens {
  /**
   * One token for each answer, stored when it resolves, so that a hub that starts again knows them. The same answers to the same session at
   * the same place have the same tokens.
   */
  hand(place: string, sessionId: string, answers: readonly AnswerSet[]): Promise<string[]>;
  /** The press that a token stands for; `forged` if nobody handed it out for this place, `unknown` if it was handed out too long ago. */
  redeem(place: string, token: string): Promise<Press | "forged" | "unknown">;
}

/** Tokens of 38 characters, `a1.RANDOM.INDEX.SIGNATURE`. */
export function signedTokens(store: ButtonPressStore, now: () => number): ButtonTokens {
  const sign = async (place: string, random: string, index: string): Promise<Buffer> =>
    createHmac("sha256", await store.key())
      .update(`a1.${random}.${index}.${place}`)
      .digest()
      .subarray(0, length);
  return {
    async hand(place, sessionId, answers) {
      const handed = { place, sessionId, answers: [...answers], at: now() };
      const random = await store.put(randomBytes(length).toString("base64url"), handed);
      return Promise.all(
        answers.map(async (_, index) => `a1.${random}.${index}.${(await sign(place, random, String(index))).toString("base64url")}`),
      );
    },
    async redeem(place, token) {
      const [, random, index, signature] = form.exec(token) ?? [];
      if (random === undefined || index === undefined || signature === undefined) return "forged";
      if (!timingSafeEqual(await sign(place, random, index), Buffer.from(signature, "base64url"))) return "forged";
      const handed = await store.get(random);
      const answer = handed?.answers[Number(index)];
      return handed === undefined || handed.place !== place || answer === undefined
        ? "unknown"
        : { random, index: Number(index), handed, answer };
    },
  };
}

/** What the buttons of one message answer. */
interface Handed {
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

const prefix = "test.";

/** The token of a test's button, which answers nothing. */
export const testToken = (): string => `${prefix}${randomBytes(12).toString("base64url")}`;

/** Whether it is one: a hub that reads along ignores it. */
export const isTestToken = (token: string): boolean => token.startsWith(prefix);
