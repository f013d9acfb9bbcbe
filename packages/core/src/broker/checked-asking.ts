import * as z from "zod";
import { AskboxError } from "../errors.ts";
import type { AskOptions } from "../ports/asker.ts";
import { askerInfoSchema } from "../session/asker-info.ts";
import { issueClause, issuePath } from "../session/issue-text.ts";
import { limits } from "../session/limits.ts";

const name = z.string().min(1).max(limits.key.max).optional();
const askingSchema = z.object({ asker: askerInfoSchema, key: name, idempotencyKey: name });

/** Throws `VALIDATION` with one sentence if a name of an ask or its asker is longer than `limits` allows. */
export function checkAsking(asking: Pick<AskOptions, "asker" | "key" | "idempotencyKey">): void {
  const read = askingSchema.safeParse(asking, { reportInput: true });
  if (read.success) return;
  const issue = read.error.issues[0] as z.core.$ZodIssue;
  throw new AskboxError("VALIDATION", `${issuePath(issue)} ${issueClause(issue)}.`);
}
