import type * as z from "zod";

/**
 * How a request may be repeated after a connection broke before its reply came:
 * - `read`: idempotent, so it is simply sent again;
 * - `operation`: changes something, so it carries an `op` that is stored with what it changed, and takes effect once;
 * - `held`: lasts until it has its result, is cancelled or the channel closes, and is restarted on a new channel under the same `op`;
 * - `once`: never sent again.
 */
export type Repeat = "read" | "operation" | "held" | "once";
/** What a connection is for: asking or answering. */
export type Role = "asker" | "desk";
/** The error responses that are distinguished, by status. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 413 | 422 | 429;

/** How an operation is called over HTTP. */
export interface Rest {
  /** Method and path, where `{id}` is the first argument. */
  at: `${"GET" | "POST" | "PATCH" | "DELETE"} /api/${string}`;
  /** The operation's id in OpenAPI. */
  id: string;
  summary: string;
  /** The name of the body's schema. The body has the parameters other than `id`. */
  body?: string;
  /** The parameter whose fields are the body's own fields. */
  inline?: string | undefined;
  /** A parameter that the body does not have. */
  without?: string;
  /** Default 200. A `DELETE` with 204 responds with 404 if there was nothing to remove. */
  status?: 200 | 201 | 204;
  /** The name of the response's schema. A list is sent as `items`. */
  answer?: string;
  /** The response is an endless stream of server-sent events. */
  isStream?: true;
  /** Who may call it. Default: the operation's role. */
  scopes?: readonly Role[];
  /** In addition to those of every operation: 401, 403 and 429, and 400 and 413 if it has a body. */
  refusals?: readonly RefusalStatus[];
}

/** One row of the table of operations. */
export interface Operation {
  role: Role;
  repeat: Repeat;
  /** The method that it calls, such as `desk.answer`; null if it takes more than a call. */
  call: string | null;
  /** The parameters that are the method's arguments, in order. The others are its options, after them. */
  args: readonly string[];
  params: z.ZodObject;
  result: z.ZodType;
  rest: Rest | undefined;
}

type Row<Call extends string | null, Who, How, Shape extends z.ZodRawShape, Args, Result> = Readonly<{
  role: Who;
  repeat: How;
  call: Call;
  args: Args;
  params: z.ZodObject<Shape>;
  result: Result;
  rest: Rest | undefined;
}>;

/** A row for one role. */
export const rowsFor =
  <Who extends Role>(role: Who) =>
  <
    const How extends Repeat,
    const Call extends string | null,
    Shape extends z.ZodRawShape,
    const Args extends readonly (keyof Shape & string)[],
    Result extends z.ZodType,
  >(
    repeat: How,
    call: Call,
    args: Args,
    params: z.ZodObject<Shape>,
    result: Result,
    rest?: Rest,
  ): Row<Call, Who, How, Shape, Args, Result> => ({ role, repeat, call, args, params, result, rest });
