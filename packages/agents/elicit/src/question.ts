import {
  AskboxError,
  type Asker,
  type AskerInfo,
  type ErrorCode,
  type Log,
  type Platform,
  type Surface,
  type ThreadMessage,
} from "@askbox/core";
import type * as z from "zod";
import type { ReadForm } from "./forms/form-schema.ts";
import type { ElicitContext } from "./sdk.ts";
import type { RedisOptions } from "./store/redis.ts";
import type { ElicitationStore } from "./store/store.ts";

/** How a person can be asked: in the client's own form, in the askbox inbox, or by the model, which passes the question on. */
export type ElicitationPath = "client" | "inbox" | "model";

/** Options of `withElicitation`. All have defaults. */
export interface ElicitationOptions<Context = ElicitContext> {
  /**
   * The allowed ways, preferred first. Default: the client's own form, then the inbox; without an asker, the client's own form, then the
   * model.
   */
  paths?: readonly ElicitationPath[] | undefined;
  /** The way for clients with this name, if their declared capabilities are misleading. */
  clients?: Readonly<Record<string, ElicitationPath>> | undefined;
  /** The inbox to ask through, or a function that returns it when it is first needed. */
  asker?: Asker | ((ctx: Context) => Promise<Asker>) | undefined;
  /** Who asks in the inbox, in addition to the client's name. */
  identity?: ((ctx: Context) => Promise<Omit<AskerInfo, "client">>) | undefined;
  /** Stores calls that wait for an answer. Default: in this process's memory. */
  store?: ElicitationStore | undefined;
  /** Stores them on Redis instead, for several processes; requires `@askbox/store-redis`. Not together with `store`. */
  redis?: RedisOptions | undefined;
  /** Encrypts stored values with AES-256-GCM; at least 32 bytes, the same in every process that shares the store. */
  secret?: string | Uint8Array | undefined;
  /**
   * The owner of a call; only the same owner may answer or continue it. Default: over HTTP the token and the MCP session, otherwise the
   * connection.
   */
  owner?: ((ctx: Context) => string) | undefined;
  /** The page for an elicitationId, for questions in mode `url` without their own `url`. */
  urlOf?: ((elicitationId: string) => string | URL) | undefined;
  platform?: Platform | undefined;
  log?: Log | undefined;
}

/** How one question is asked. */
export interface ElicitOptions {
  /** `form` (default), or `url` to send the person to a page. */
  mode?: "form" | "url" | undefined;
  /** Milliseconds for the answer, 1–604,800,000 (a week). Default 300,000. */
  ttl?: number | undefined;
  /**
   * Returns the reply to what a person asks back in the inbox, 1–10,000 characters of markdown. Default: a reply saying that a program asks
   * and cannot answer. They have at least 5 minutes after each reply, regardless of `ttl`.
   */
  onAskedBack?: ((messages: readonly ThreadMessage[]) => string | Promise<string>) | undefined;
  /** Identifies a visit of a page, for `notifications/elicitation/complete`; only for mode `url`. Default: a new one. */
  elicitationId?: string | undefined;
  /** The page; only for mode `url`. Default: the result of `urlOf` for the elicitationId. */
  url?: string | URL | undefined;
  /**
   * Only accepts an answer directly from a person, never through the model: if there is no other way, throws
   * `ElicitationNotSupportedError`. For anything that cannot be undone. Default false.
   */
  person?: boolean | undefined;
}

/** How long an answer may take, in ms. */
export const ttlRange = Object.freeze({ min: 1, max: 604_800_000, default: 300_000 });

/** One `elicit()` call, for the ways of asking. */
export interface ElicitQuestion {
  message: string;
  /** What is to be filled in, as JSON Schema; empty for a page to visit. */
  schema: Readonly<Record<string, unknown>>;
  /** The same as a form. Throws `VALIDATION` if a field cannot be in one. */
  form(): ReadForm;
  /** The page to visit, in mode `url`. */
  page: { url: string; elicitationId: string } | undefined;
  /** Milliseconds. */
  ttl: number;
  onAskedBack?: ElicitOptions["onAskedBack"];
}

/** The page's address in words, for text-only surfaces. */
export const withPage = ({ message, page }: ElicitQuestion): string =>
  page === undefined ? message : `${message}\n\nOpen this page: ${page.url}`;

/** Who gave a result: a person at a surface (`client`: the client's own form), the model that passed it on, or nobody. */
export type ElicitedBy = Surface | "model" | "none";

/** The result of a question. There is content only with `accept`, and it has been validated against the schema. */
export type ElicitResult<Content = unknown> =
  | { status: "accept"; content: Content; by: ElicitedBy }
  | { status: "decline" | "cancel"; content?: undefined; by: ElicitedBy };

/** The content of an accepted form: what the schema returns, where a field with a default is absent if nobody filled it in. */
export type ElicitedContent<Schema extends z.ZodType> = WithoutDefaults<z.output<Schema>, z.input<Schema>>;

/** The fields that may be left out, and that the schema's own type promises. */
type Defaulted<Out, In> = {
  [Key in keyof Out & keyof In]-?: undefined extends In[Key] ? (undefined extends Out[Key] ? never : Key) : never;
}[keyof Out & keyof In];
type WithoutDefaults<Out, In> = Out extends unknown
  ? [Defaulted<Out, In>] extends [never]
    ? Out
    : { [Key in keyof Out as Key extends Defaulted<Out, In> ? never : Key]: Out[Key] } & {
          [Key in keyof Out as Key extends Defaulted<Out, In> ? Key : never]?: Out[Key];
        } extends infer Both
      ? { [Key in keyof Both]: Both[Key] }
      : never
  : never;

/** A result before its content is validated. */
export interface UncheckedResult {
  status: "accept" | "decline" | "cancel";
  content?: unknown;
  by: ElicitedBy;
}

/** Marks a result in its `_meta` as given by nobody. */
export const byMetaKey = "askbox/by";

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
