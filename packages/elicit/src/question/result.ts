import type { Surface } from "@askbox/core";

/** Who gave a result: a person at a surface (`client`: the client's own form), the model that passed it on, or nobody. */
export type ElicitedBy = Surface | "model" | "none";

/** The result of a question. There is content only with `accept`, and it has been validated against the schema. */
export type ElicitResult<Content = unknown> =
  | { status: "accept"; content: Content; by: ElicitedBy }
  | { status: "decline" | "cancel"; content?: undefined; by: ElicitedBy };

/** A result before its content is validated. */
export interface UncheckedResult {
  status: "accept" | "decline" | "cancel";
  content?: unknown;
  by: ElicitedBy;
}

/** Marks a result in its `_meta` as given by nobody. */
export const byMetaKey = "askbox/by";
