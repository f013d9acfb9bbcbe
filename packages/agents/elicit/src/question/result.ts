import type { Surface } from "@askbox/core";
import type * as z from "zod";

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
