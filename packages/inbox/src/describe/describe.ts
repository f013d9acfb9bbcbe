import type { Actor, Answer, AskerInfo, Presence, Question, QuestionOf, SessionView } from "@askbox/core";
import { clientTitle } from "@askbox/core/clients";
import { actionLine, type Denial, denialOf, isDenied, isReply, readGrantValue } from "@askbox/core/questions";
import { folderName, questionLine } from "../list/selectors.ts";
import { kindOf, type SessionKind } from "../list/triage.ts";

/**
 * What people are told about a session, told once: who asks, what, how it stands, and how it ended, as parts with codes.
 *
 * Nothing here is a sentence, and no text is cleaned, cut or translated. `@askbox/inbox/text` has the English words for the codes; the page
 * has its own for other languages. Each surface paints the parts: the terminal makes them safe for terminals, a chat makes them inert, the
 * page isolates their direction. A surface that words an outcome from the session itself is a mistake: the words drift apart.
 */

/**
 * How a session ended:
 *
 * - `answered`: the questions were answered; of an approval, `allowed` or `denied`, of a plan, `approved` or `kept` for more planning;
 * - `overruled`: a model's denial was overruled, so that exactly the action may run once; `agreed`: it was agreed with;
 * - `declined`: a person turned the set down;
 * - `withdrawn`: the asker took it back, or asked something else instead;
 * - `timed_out`: nobody answered before the deadline; `replied`: somebody did after it, for the agent's next question;
 * - `lost`: it is over, and how is not known.
 */
export const endings = [
  "answered",
  "allowed",
  "denied",
  "approved",
  "kept",
  "overruled",
  "agreed",
  "declined",
  "withdrawn",
  "timed_out",
  "replied",
  "lost",
] as const;
/** One of `endings`. */
export type Ending = (typeof endings)[number];

/** An outcome for people. */
export interface DescribedOutcome {
  ending: Ending;
  /** Who or what ended it; of `replied`, who replied. Absent for `lost`. */
  by?: Actor;
  /** When; wall time in ms. Absent for `lost`. */
  at?: number;
  /** Of `allowed`: for how many ms equal actions are allowed as well. Absent if it was allowed once, or by a grant. */
  lasts?: number;
  /** Of `allowed`: the name of the agent's own option that was chosen, which may allow more than this. */
  own?: string;
  /** What was said with it: why it was declined or denied, or the comment. */
  words?: string;
}

/** A session for people. */
export interface Described {
  who: DescribedAsker;
  what: {
    kind: SessionKind;
    /** What would be done, each action in one line; absent if nothing is to be allowed. */
    action?: string;
    /** The asker's title. */
    title?: string;
    /** The first question, on one line, without markup. */
    question: string;
    /** How many questions there are. */
    count: number;
    /** Of an action that a model has denied already: who denied it, why, and how it judged. */
    denial?: Denial;
  };
  status: SessionView["status"];
  /** Where the asker is, while the session is pending. */
  presence: Presence;
  /** Where asking the agent back stands, while the session is pending; absent if nothing was asked. */
  thread?: "asked" | "replied";
  /** Absent while the session is pending. */
  outcome?: DescribedOutcome;
}

/** Who asks, from where. */
export interface DescribedAsker {
  /** The title of the agent's client. */
  agent: string;
  agentId?: string;
  /** The last part of the project's path. */
  folder?: string;
  branch?: string;
  /** The machine that it runs on; absent on the hub's own. */
  machine?: string;
}

/** Describes a session for people. Pure; the time is not needed. */
export function describe(session: SessionView): Described {
  const { asker, title, questions, status, presence } = session;
  const action = actionLine(questions);
  const thread = describeThread(session);
  const denial = denialOf(session);
  return {
    who: describeAsker(asker),
    what: {
      kind: kindOf(session),
      ...(action !== undefined && { action }),
      ...(title !== undefined && { title }),
      question: questions[0] === undefined ? "" : questionLine(questions[0]),
      count: questions.length,
      ...(denial !== undefined && { denial }),
    },
    status,
    presence,
    ...(thread !== undefined && { thread }),
    ...(status !== "pending" && { outcome: describeOutcome(session) }),
  };
}

/** Who asks, from where, of an asker that may be registered without a question. */
export function describeAsker({ client, agentId, project, branch, machine }: AskerInfo): DescribedAsker {
  return {
    agent: clientTitle(client.name),
    ...(agentId !== undefined && { agentId }),
    ...(project !== undefined && { folder: folderName(project) }),
    ...(branch !== undefined && { branch }),
    ...(machine !== undefined && { machine }),
  };
}

/** Where asking the agent back stands, while the session is pending; undefined if nothing was asked. */
export function describeThread({ thread = [], status }: Pick<SessionView, "thread" | "status">): Described["thread"] {
  const last = thread.at(-1);
  if (last === undefined || status !== "pending") return undefined;
  return isReply(last) ? "replied" : "asked";
}

/** How a settled session ended. */
export function describeOutcome({ questions, outcome, reply }: Pick<SessionView, "questions" | "outcome" | "reply">): DescribedOutcome {
  switch (outcome?.kind) {
    case "answered": {
      const { by, at, comment, answers } = outcome;
      const decision = decisionOf(questions);
      const words = comment ?? answers.find(({ questionId }) => questionId === decision?.id)?.customText;
      return { ...describeAnswers(questions, answers), by, at, ...(words !== undefined && { words }) };
    }
    case "cancelled": {
      const { by, at, reason } = outcome;
      return { ending: by.surface === "asker" ? "withdrawn" : "declined", by, at, ...(reason !== undefined && { words: reason }) };
    }
    case "timedOut": {
      if (reply === undefined) return { ending: "timed_out", by: outcome.by, at: outcome.at };
      return { ending: "replied", by: reply.by, at: reply.at, ...(reply.comment !== undefined && { words: reply.comment }) };
    }
    case undefined:
      return { ending: "lost" };
  }
}

/** How a session ends with these answers, before they are sent, too. A set is allowed only if it is one decision; it is denied if one of its actions is. */
export function describeAnswers(
  questions: readonly Question[],
  answers: readonly Answer[],
): Pick<DescribedOutcome, "ending" | "lasts" | "own"> {
  const decision = decisionOf(questions);
  const isPlan = decision?.action.kind === "plan";
  const denied = isDenied({ questions, outcome: { kind: "answered", answers: [...answers] } });
  if (decision?.denial !== undefined && denied) return { ending: "agreed" };
  if (denied) return { ending: isPlan ? "kept" : "denied" };
  if (decision === undefined || answers.every(({ values }) => values.length === 0)) return { ending: "answered" };
  if (decision.denial !== undefined) return { ending: "overruled" };
  const value = answers.find(({ questionId }) => questionId === decision.id)?.values[0];
  const lasts = readGrantValue(value ?? "")?.duration;
  const own = decision.agentOptions?.find((option) => option.value === value)?.label;
  return { ending: isPlan ? "approved" : "allowed", ...(lasts !== undefined && { lasts }), ...(own !== undefined && { own }) };
}

/** The action, if all that a set asks is whether it is allowed. */
function decisionOf(questions: readonly Question[]): QuestionOf<"approval"> | undefined {
  const [only, ...more] = questions;
  return only !== undefined && more.length === 0 && "action" in only ? only : undefined;
}
