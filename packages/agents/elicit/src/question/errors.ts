import { AskboxError, type ErrorCode } from "@askbox/core";

/** Nobody can be asked: the client has no suitable form, no inbox was given, and the fallback is off or not possible here. */
export class ElicitationNotSupportedError extends AskboxError {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super("ELICITATION_NOT_SUPPORTED", message, options);
    this.name = "ElicitationNotSupportedError";
  }
}

/** The person did not answer within `ttl`. Don't treat it as a decision. */
export class ElicitationTimeoutError extends AskboxError {
  /** Milliseconds. */
  readonly ttl: number;

  constructor(ttl: number, options: { cause?: unknown } = {}) {
    super("ELICITATION_TIMED_OUT", `Nobody answered within ${ttl / 1_000} s; ask again, and do not take silence for an answer.`, {
      ...options,
      details: { ttl },
    });
    this.name = "ElicitationTimeoutError";
    this.ttl = ttl;
  }
}

export type ElicitIdProblem = Extract<
  ErrorCode,
  "ELICITATION_UNKNOWN" | "ELICITATION_EXPIRED" | "ELICITATION_USED" | "ELICITATION_FOREIGN"
>;

const idSentences: Readonly<Record<ElicitIdProblem, (tool: string) => string>> = {
  ELICITATION_UNKNOWN: () => "There is no question with this elicitId; copy it exactly from the tool's result, or call the tool again.",
  ELICITATION_EXPIRED: (tool) => `The time to answer this question is over; call ${tool} again to ask again.`,
  ELICITATION_USED: (tool) => `This elicitId was answered already, and an answer counts once; call ${tool} again to ask again.`,
  ELICITATION_FOREIGN: () => "This elicitId belongs to another caller, or to a call with other arguments; answer only your own questions.",
};

/** What is wrong with an elicitId; each of the four cases has its own code. */
export function elicitIdError(code: ElicitIdProblem, elicitId: string, tool = "the tool"): AskboxError {
  return new AskboxError(code, idSentences[code](tool), { details: { elicitId } });
}
