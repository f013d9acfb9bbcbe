import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { AnswerSet } from "@askbox/core";
import type { ButtonPressStore, Handed } from "./store.ts";

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
