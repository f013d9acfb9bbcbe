import type { Surface } from "@askbox/core";

/** Who or what gave a result: a person at a surface (`client`: the client's own form), the model that passed it on, or nobody. */
export type ElicitedBy = Surface | "model" | "none";

/** What became of a question. There is content only where somebody accepted, and it has passed the schema. */
export type ElicitResult<Content = unknown> =
  | { status: "accept"; content: Content; by: ElicitedBy }
  | { status: "decline" | "cancel"; content?: undefined; by: ElicitedBy };

/** A result before its content is checked. */
export interface GivenResult {
  status: "accept" | "decline" | "cancel";
  content?: unknown;
  by: ElicitedBy;
}

/** Says in a result's `_meta` that nobody gave it. */
export const byMetaKey = "askbox/by";
