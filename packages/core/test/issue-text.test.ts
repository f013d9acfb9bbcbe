import { questionTypes } from "@askbox/core/questions";
import { issueClause, issuePath } from "@askbox/core/schemas";
import { expect, test } from "vitest";
import * as z from "zod";

const schema = z.object({
  text: z.string().min(2).max(3).optional(),
  list: z.array(z.string()).min(1).max(2).optional(),
  count: z.number().min(1).max(9).optional(),
  whole: z.int().optional(),
  object: z.object({ inner: z.array(z.object({ leaf: z.boolean() })) }).optional(),
  choice: z.enum(["a", "b"]).optional(),
  address: z.email().optional(),
  typed: z.discriminatedUnion("type", [z.object({ type: z.literal("x") }), z.object({ type: z.literal("y") })]).optional(),
  kind: z.discriminatedUnion("kind", [z.object({ kind: z.literal("x") }), z.object({ kind: z.literal("y") })]).optional(),
});

const saidOf = (input: unknown) => {
  const issue = schema.safeParse(input, { reportInput: true }).error?.issues[0];
  return issue === undefined ? "it is valid" : `${issuePath(issue)} ${issueClause(issue)}`;
};

test.each<[unknown, string]>([
  [{ text: "a" }, "text must be at least 2 characters long"],
  [{ text: "abcd" }, "text must be at most 3 characters long"],
  [{ text: 1 }, "text must be a string"],
  [{ list: [] }, "list must be at least 1 item long"],
  [{ list: ["a", "b", "c"] }, "list must be at most 2 items long"],
  [{ list: "a" }, "list must be an array"],
  [{ list: ["a", 1] }, "list[1] must be a string"],
  [{ count: 0 }, "count must be at least 1"],
  [{ count: 10 }, "count must be at most 9"],
  [{ count: "1" }, "count must be a number"],
  [{ whole: 1.5 }, "whole must be a whole number"],
  [{ object: [] }, "object must be an object"],
  [{ object: { inner: [{ leaf: true }, {}] } }, "object.inner[1].leaf must be a boolean; it is missing"],
  [{ choice: "c" }, 'choice must be one of "a", "b"'],
  [{ address: "ada" }, "address is not valid: Invalid email address"],
  [{ typed: { type: "z" } }, `typed.type must be one of ${questionTypes.map((type) => `"${type}"`).join(", ")}`],
  [{ kind: { kind: "z" } }, "kind.kind Invalid discriminator value. Expected 'x' | 'y'"],
  ["text", " must be an object"],
])("the errors of %j say what is wrong, and where", (input, sentence) => {
  expect(saidOf(input)).toBe(sentence);
});
