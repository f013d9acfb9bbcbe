import { cut } from "./texts.ts";

/** Who can fix an error: the caller, the person at the desk, the person who runs the hub, or only askbox's developers (a bug). */
export type MendedBy = "caller" | "person" | "operator" | "askbox";

/** Every error code, with who can fix it. Codes are stable: they cross the wire and appear in `--json`. */
export const errorCodes = Object.freeze({
  VALIDATION: { fixedBy: "caller" },
  INVALID_ANSWER: { fixedBy: "person" },
  SESSION_NOT_FOUND: { fixedBy: "caller" },
  UNKNOWN_AGENT: { fixedBy: "caller" },
  AMBIGUOUS_ID: { fixedBy: "caller" },
  SESSION_CLOSED: { fixedBy: "caller" },
  TOO_MANY_ROUNDS: { fixedBy: "person" },
  SESSION_PENDING: { fixedBy: "caller" },
  DRAFT_CONFLICT: { fixedBy: "caller" },
  CONFLICT: { fixedBy: "caller" },
  ABORTED: { fixedBy: "caller" },
  CANCELLED: { fixedBy: "person" },
  TIMED_OUT: { fixedBy: "person" },
  UNAUTHORIZED: { fixedBy: "caller" },
  FORBIDDEN: { fixedBy: "caller" },
  RATE_LIMITED: { fixedBy: "caller" },
  TOO_MANY_PENDING: { fixedBy: "caller" },
  PAYLOAD_TOO_LARGE: { fixedBy: "caller" },
  PROTOCOL_MISMATCH: { fixedBy: "operator" },
  HUB_UNREACHABLE: { fixedBy: "operator" },
  HUB_CLOSING: { fixedBy: "caller" },
  STORE_UNAVAILABLE: { fixedBy: "operator" },
  STORE_DAMAGED: { fixedBy: "operator" },
  ELICITATION_NOT_SUPPORTED: { fixedBy: "caller" },
  ELICITATION_TIMED_OUT: { fixedBy: "person" },
  ELICITATION_UNKNOWN: { fixedBy: "caller" },
  ELICITATION_EXPIRED: { fixedBy: "caller" },
  ELICITATION_USED: { fixedBy: "caller" },
  ELICITATION_FOREIGN: { fixedBy: "caller" },
  ELICITATION_CHANGED: { fixedBy: "caller" },
  INTERNAL: { fixedBy: "askbox" },
} satisfies Record<string, { fixedBy: MendedBy }>);

/** A code in `errorCodes`. */
export type ErrorCode = keyof typeof errorCodes;

/** An error as it crosses the wire or appears in `--json`. */
export interface ErrorShape {
  code: ErrorCode;
  message: string;
  details?: Record<string, unknown> | undefined;
}

/** UTF-16 code units. A message may contain input, which may be long. */
const maxMessageLength = 1_500;

/** The one error class. `message` is a sentence that says what to do; `details` is plain JSON. */
export class AskboxError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, message: string, options: { details?: Record<string, unknown> | undefined; cause?: unknown } = {}) {
    super(cut(message, maxMessageLength), options.cause === undefined ? undefined : { cause: options.cause });
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
    return new AskboxError(code, shape.message.trim() || "It gave no reason.", { details: shape.details });
  }
}

/** The same in every copy of this module: a host and its plugins may each have one. */
const brand = Symbol.for("askbox.error");
Object.defineProperty(AskboxError.prototype, brand, { value: true });

/**
 * Whether something that was thrown is an `AskboxError`, optionally with this code; also if it comes from another copy of askbox, which
 * `instanceof` does not recognize.
 *
 * @example
 * ```ts
 * import { type Desk, isAskboxError } from "@askbox/core";
 *
 * export async function decline(desk: Desk, id: string) {
 *   await desk.cancel(id).catch((error: unknown) => {
 *     if (!isAskboxError(error, "SESSION_CLOSED")) throw error;
 *   });
 * }
 * ```
 */
export function isAskboxError(error: unknown, code?: ErrorCode): error is AskboxError {
  if (error === null || typeof error !== "object" || !(brand in error)) return false;
  return code === undefined || (error as { code?: unknown }).code === code;
}

/** Converts anything thrown into an AskboxError; anything else becomes `INTERNAL` with the original as its cause. */
export function toAskboxError(thrown: unknown): AskboxError {
  if (isAskboxError(thrown)) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new AskboxError("INTERNAL", message, { cause: thrown });
}
