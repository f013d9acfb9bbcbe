/** Who can mend an error: the one who called, the person at the desk, whoever runs the hub, or nobody (askbox itself). */
export type MendedBy = "caller" | "person" | "operator" | "askbox";

/** Every error code, with who can mend it. Codes are stable: they cross the wire and appear in `--json`. */
export const errorCodes = Object.freeze({
  VALIDATION: { mendedBy: "caller" },
  INVALID_ANSWER: { mendedBy: "person" },
  SESSION_NOT_FOUND: { mendedBy: "caller" },
  UNKNOWN_AGENT: { mendedBy: "caller" },
  AMBIGUOUS_ID: { mendedBy: "caller" },
  SESSION_CLOSED: { mendedBy: "caller" },
  SESSION_PENDING: { mendedBy: "caller" },
  DRAFT_CONFLICT: { mendedBy: "caller" },
  CONFLICT: { mendedBy: "caller" },
  ABORTED: { mendedBy: "caller" },
  UNAUTHORIZED: { mendedBy: "caller" },
  FORBIDDEN: { mendedBy: "caller" },
  RATE_LIMITED: { mendedBy: "caller" },
  TOO_MANY_PENDING: { mendedBy: "caller" },
  PAYLOAD_TOO_LARGE: { mendedBy: "caller" },
  PROTOCOL_MISMATCH: { mendedBy: "operator" },
  HUB_UNREACHABLE: { mendedBy: "operator" },
  HUB_CLOSING: { mendedBy: "caller" },
  STORE_UNAVAILABLE: { mendedBy: "operator" },
  STORE_DAMAGED: { mendedBy: "operator" },
  ELICITATION_NOT_SUPPORTED: { mendedBy: "caller" },
  ELICITATION_TIMED_OUT: { mendedBy: "person" },
  ELICITATION_UNKNOWN: { mendedBy: "caller" },
  ELICITATION_EXPIRED: { mendedBy: "caller" },
  ELICITATION_USED: { mendedBy: "caller" },
  ELICITATION_FOREIGN: { mendedBy: "caller" },
  ELICITATION_CHANGED: { mendedBy: "caller" },
  INTERNAL: { mendedBy: "askbox" },
} satisfies Record<string, { mendedBy: MendedBy }>);

export type ErrorCode = keyof typeof errorCodes;

/** An error as it crosses the wire or appears in `--json`. */
export interface ErrorShape {
  code: ErrorCode;
  message: string;
  details?: Record<string, unknown> | undefined;
}

/** The one error class. `message` is a sentence that says what to do; `details` is plain JSON. */
export class AskboxError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, message: string, options: { details?: Record<string, unknown> | undefined; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AskboxError";
    this.code = code;
    this.details = options.details;
  }

  toJSON(): ErrorShape {
    return this.details === undefined
      ? { code: this.code, message: this.message }
      : { code: this.code, message: this.message, details: this.details };
  }

  static fromJSON(shape: ErrorShape): AskboxError {
    const code = Object.hasOwn(errorCodes, shape.code) ? shape.code : "INTERNAL";
    return new AskboxError(code, shape.message, { details: shape.details });
  }
}

export function isAskboxError(error: unknown, code?: ErrorCode): error is AskboxError {
  return error instanceof AskboxError && (code === undefined || error.code === code);
}

/** Turns whatever was thrown into an AskboxError; what is not one becomes `INTERNAL` with the thing as its cause. */
export function toAskboxError(thrown: unknown): AskboxError {
  if (thrown instanceof AskboxError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new AskboxError("INTERNAL", message, { cause: thrown });
}
