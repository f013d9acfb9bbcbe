import type { ServerContext } from "@modelcontextprotocol/server";
import type { z } from "zod";
import { CallRun } from "./call-run.ts";
import { ElicitationNotSupportedError } from "./errors.ts";
import type { ElicitOptions } from "./options.ts";
import type { ElicitResult } from "./result.ts";
import { runOf } from "./run.ts";

/**
 * Asks the person behind a tool's call and waits for the answer: in the client's own form, in the askbox inbox, or through the model, whichever
 * there is. Content that is given has passed the schema; `decline` and `cancel` carry none.
 *
 * Where the answer comes with a later request, the handler is run again from its start and all earlier answers are given again in their order. So
 * what a question says may depend on the arguments, earlier answers and `once` alone, and what must happen once belongs into `once`.
 *
 * Throws `ElicitationNotSupportedError`, `ElicitationTimeoutError`, and `AskboxError`s: `INVALID_ANSWER` (the content does not fit), `ABORTED` (the call was
 * cancelled), `ELICITATION_CHANGED` (the question is not the one that was answered), `VALIDATION` (the schema fits no form), `HUB_UNREACHABLE`.
 */
export async function elicit<Schema extends z.ZodType>(
  ctx: ServerContext,
  message: string,
  schema: Schema,
  options: ElicitOptions = {},
): Promise<ElicitResult<z.output<Schema>>> {
  const run = runOf(ctx);
  if (run instanceof CallRun) return run.elicit(ctx, message, schema, options);
  throw new ElicitationNotSupportedError(
    "elicit() needs the context of a tool's handler on a server that was given to withElicitation before.",
  );
}
