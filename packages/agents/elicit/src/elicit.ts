import { AskboxError } from "@askbox/core";
import type * as z from "zod";
import { ElicitationNotSupportedError, type ElicitedContent, type ElicitOptions, type ElicitResult } from "./question.ts";
import { CallRun } from "./run/run.ts";
import { type ElicitContext, readContext, runOf } from "./sdk.ts";

/**
 * Asks the person behind a tool call and waits for the answer: in the client's own form, in the askbox inbox, or through the model,
 * whichever is available. The content has been validated against the schema; `decline` and `cancel` have none. A field that was left empty
 * is absent, also if the schema has a default for it: a default is no answer.
 *
 * If the answer comes with a later request, the handler runs again from the start and gets all earlier answers again, in order. So a
 * question may only depend on the arguments, earlier answers and `once`, and anything that must happen once belongs in `once`.
 *
 * Throws `ElicitationNotSupportedError`, `ElicitationTimeoutError`, and `AskboxError`s: `INVALID_ANSWER` (the content does not fit), `ABORTED` (the call was
 * cancelled), `ELICITATION_CHANGED` (the question is not the one that was answered), `VALIDATION` (the schema fits no form), `HUB_UNREACHABLE`.
 *
 * @example
 * ```ts
 * import { elicit, type ElicitContext } from "@askbox/elicit";
 * import * as z from "zod";
 *
 * export async function mayDelete(ctx: ElicitContext, path: string) {
 *   const { status, content } = await elicit(ctx, `Delete ${path}?`, z.object({ sure: z.boolean() }), { person: true });
 *   return status === "accept" && content.sure;
 * }
 * ```
 */
export async function elicit<Schema extends z.ZodType>(
  ctx: ElicitContext,
  message: string,
  schema: Schema,
  options: ElicitOptions = {},
): Promise<ElicitResult<ElicitedContent<Schema>>> {
  const call = readContext(ctx);
  if (call === undefined) {
    throw new AskboxError(
      "VALIDATION",
      "elicit() takes the context of a tool's handler first: `ctx` of the MCP SDK 2, `extra` of @modelcontextprotocol/sdk 1.x.",
    );
  }
  if (!("_zod" in Object(schema))) {
    throw new AskboxError("VALIDATION", 'elicit() needs a schema of zod 4; with zod 3.25 installed, import it from "zod/v4".');
  }
  const run = runOf(ctx);
  if (run instanceof CallRun) return run.elicit(ctx, call, { message, schema, options });
  throw new ElicitationNotSupportedError(
    "elicit() needs the context of a tool's handler on a server that was given to withElicitation before.",
  );
}
