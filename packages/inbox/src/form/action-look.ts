import type { Clock } from "@askbox/core";
import { traitsOf } from "@askbox/core/questions";
import type { FormState } from "./editable-form.ts";

/** Milliseconds that an action is on the screen before it can be allowed, and that letters decide nothing after text was typed. */
const lookTime = 700;

/** Milliseconds after an answer was sent in which keys may still be meant for it. */
const sendTime = 400;

/** Why an action cannot be allowed yet: it has just appeared, or its end was not in view. */
export type Unread = "early" | "below";

interface Look {
  since: number;
  isInView: boolean;
  hadEndInView: boolean;
  version: string;
}

/** When text was typed last: the letters that follow without a pause belong to it, even if its field has gone. */
export class Typing {
  readonly #clock: Pick<Clock, "monotonic">;
  #at = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  /** Text was typed. */
  typed(): void {
    this.#at = this.#clock.monotonic();
  }

  get isGoingOn(): boolean {
    return this.#clock.monotonic() - this.#at < lookTime;
  }
}

/**
 * What a person could see of the actions on a page, as the surface reports it. Nothing is allowed whose end was never in view, or that
 * appeared less than `lookTime` ago; no letter decides about what is not in view, or just after typing.
 */
export class ActionLook {
  readonly typing: Typing;
  readonly #clock: Pick<Clock, "monotonic">;
  #page: string | undefined;
  #sentAt = Number.NEGATIVE_INFINITY;
  readonly #looks = new Map<string, Look>();

  constructor(clock: Pick<Clock, "monotonic">, typing = new Typing(clock)) {
    this.#clock = clock;
    this.typing = typing;
  }

  /** The page that is open; another one, or undefined for none, is a new look. */
  open(page: string | undefined): void {
    if (page !== this.#page) this.#looks.clear();
    this.#page = page;
  }

  /** An answer was sent: the keys on their way are not meant for the next question. */
  sent(): void {
    this.#sentAt = this.#clock.monotonic();
  }

  get hasJustSent(): boolean {
    return this.#clock.monotonic() - this.#sentAt < sendTime;
  }

  /** The page comes back into sight: its actions have just appeared. */
  appear(): void {
    const since = this.#clock.monotonic();
    for (const look of this.#looks.values()) look.since = since;
  }

  /**
   * Reports which part of a question's action is on the screen now. With other arguments, `version`, it has just appeared, unless they were
   * typed here.
   */
  saw(questionId: string, seen: { isInView: boolean; isEndInView: boolean; version?: string | undefined; isTyped?: boolean }): void {
    const { isInView, isEndInView, version = "", isTyped = false } = seen;
    const known = this.#looks.get(questionId);
    const isSame = isTyped || known?.version === version;
    const { since, hadEndInView } = (isSame && known) || { since: this.#clock.monotonic(), hadEndInView: false };
    this.#looks.set(questionId, { since, isInView, hadEndInView: hadEndInView || isEndInView, version });
  }

  /** Why this action cannot be allowed yet, with these arguments; undefined if it can. */
  unread(questionId: string, version?: string): Unread | undefined {
    const look = this.#looks.get(questionId);
    if (look === undefined || (version ?? look.version) !== look.version) return "early";
    if (!look.hadEndInView) return "below";
    return this.#clock.monotonic() - look.since < lookTime ? "early" : undefined;
  }

  /** Whether a letter may decide about this action. */
  takesLetters(questionId: string): boolean {
    return !this.typing.isGoingOn && this.#looks.get(questionId)?.isInView === true;
  }
}

/** Why a form that allows an action cannot be sent yet; undefined if it can. */
export function unreadIn({ session, fields }: Pick<FormState, "session" | "fields">, look: Pick<ActionLook, "unread">): Unread | undefined {
  const allowed = session.questions.filter(
    (question) => traitsOf(question).picks === "decision" && fields[question.id]?.values.some((value) => value !== "deny") === true,
  );
  return allowed.map(({ id }) => look.unread(id, fields[id]?.input ?? "")).find((why) => why !== undefined);
}
