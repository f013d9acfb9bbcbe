import { AskboxError } from "../errors.ts";
import type { Asker, AskOptions, Handover } from "../ports/asker.ts";
import type { Actor } from "../session/actor.ts";
import type { AskerInfo } from "../session/asker-info.ts";
import { parseAsk } from "../session/parse-ask.ts";
import type { SessionRecord } from "../session/record.ts";
import { askedBack, type ThreadMessage } from "../session/thread.ts";
import type { Field, Values } from "./field.ts";

type Fields = Record<string, Field<unknown>>;

/** Options of the typed `ask` and `askForEnding`. */
export interface TypedAskOptions extends Omit<AskOptions, "asker" | "maxWait" | "earlier"> {
  /** Who asks. Default: a client named `program`. */
  asker?: AskerInfo | undefined;
  title?: string | undefined;
  /** Milliseconds, 10,000–1,800,000; default 300,000. */
  timeout?: number | undefined;
  /**
   * Returns the reply to what a person asks back, 1–10,000 characters of markdown. Default: a reply saying that a program asks and cannot
   * answer.
   */
  onAskedBack?: ((messages: readonly ThreadMessage[]) => string | Promise<string>) | undefined;
}

/** The default reply of a program to a person who asks something back. */
export const programReply = "This question comes from a program, which cannot reply. Answer it as it is, or decline it.";

/** How a typed ask ended, in the terms of the record. */
export type Ending<Asked extends Fields> =
  | { kind: "answered"; values: Values<Asked>; comment: string | undefined; by: Actor; session: SessionRecord }
  | { kind: "cancelled"; reason: string | undefined; by: Actor; session: SessionRecord }
  /** `seen`: whether anybody opened the questions. */
  | { kind: "timed_out"; seen: boolean; session: SessionRecord }
  /**
   * A person wants to know something first, and the questions are still open: `reply` sends 1–10,000 characters of markdown and waits
   * again.
   */
  | { kind: "askedBack"; messages: readonly ThreadMessage[]; reply: (text: string) => Promise<Ending<Asked>>; session: SessionRecord };

/**
 * Asks, and returns the answers as values under the names of the questions. Throws `CANCELLED` (details.reason: the person's words) and
 * `TIMED_OUT`, since neither is an answer, and whatever `Asker.ask` throws.
 *
 * @example
 * ```ts
 * import { type Asker, ask, confirm, select } from "@askbox/core";
 *
 * export async function release(asker: Asker) {
 *   const { deploy, where } = await ask(asker, { deploy: confirm("Deploy?"), where: select("Where?", ["staging", "production"]) });
 *   if (deploy) console.log(`Deploying to ${where}`);
 * }
 * ```
 */
export async function ask<const Asked extends Fields>(asker: Asker, asked: Asked, options: TypedAskOptions = {}): Promise<Values<Asked>> {
  const { onAskedBack = () => programReply, ...asking } = options;
  let ending = await askForEnding(asker, asked, asking);
  while (ending.kind === "askedBack") ending = await ending.reply(await onAskedBack(ending.messages));
  const sessionId = ending.session.id;
  switch (ending.kind) {
    case "answered":
      return ending.values;
    case "cancelled": {
      const { reason, by } = ending;
      const sentence =
        reason === undefined ? "The questions were cancelled; do not proceed as if they had been answered." : `Cancelled: ${reason}`;
      throw new AskboxError("CANCELLED", sentence, { details: { sessionId, reason, by } });
    }
    case "timed_out":
      throw new AskboxError("TIMED_OUT", "Nobody answered in time; that is not an answer.", { details: { sessionId, seen: ending.seen } });
  }
}

/**
 * The same, for a program that handles every ending itself. Throws what `Asker.ask` throws.
 *
 * @example
 * ```ts
 * import { type Asker, askForEnding, confirm } from "@askbox/core";
 *
 * export async function mayDeploy(asker: Asker) {
 *   const ending = await askForEnding(asker, { deploy: confirm("Deploy?") }, { timeout: 60_000 });
 *   return ending.kind === "answered" && ending.values.deploy;
 * }
 * ```
 */
export async function askForEnding<const Asked extends Fields>(
  asker: Asker,
  asked: Asked,
  { asker: info = { client: { name: "program" } }, title, timeout, ...options }: Omit<TypedAskOptions, "onAskedBack"> = {},
): Promise<Ending<Asked>> {
  const questions = Object.entries(asked).map(([id, { input }]) => ({ ...input, id }));
  const request = parseAsk({ questions, title, timeout }, { ids: noIds });
  const taken = async ({ session, ack }: Handover): Promise<Ending<Asked>> => {
    // The program has it; if the acknowledgement failed, it is included in a later result.
    await ack().catch(() => {});
    const { signal } = options;
    return endingOf(asked, session, async (reply) => taken(await asker.resume(session.id, { reply, signal, earlier: false })));
  };
  return taken(await asker.ask(request, { ...options, asker: info, earlier: false }));
}

function endingOf<Asked extends Fields>(
  asked: Asked,
  session: SessionRecord,
  reply: (text: string) => Promise<Ending<Asked>>,
): Ending<Asked> {
  const { outcome } = session.context;
  switch (outcome?.kind) {
    case "answered": {
      const answers = new Map(outcome.answers.map((answer) => [answer.questionId, answer]));
      const entryOf = ([id, field]: [string, Field<unknown>]) => [id, field.read(answers.get(id) ?? { questionId: id, values: [] })];
      const values = Object.fromEntries(Object.entries(asked).map(entryOf)) as Values<Asked>;
      return { kind: "answered", values, comment: outcome.comment, by: outcome.by, session };
    }
    case "cancelled":
      return { kind: "cancelled", reason: outcome.reason, by: outcome.by, session };
    case "timedOut":
      return { kind: "timed_out", seen: session.seenAt !== undefined, session };
    case undefined:
      return { kind: "askedBack", messages: askedBack(session), reply, session };
  }
}

const never = (): never => {
  throw new AskboxError("INTERNAL", "A typed ask names its questions itself.");
};
const noIds = { session: never, question: never, call: never };
