import type { ToolDefinition } from "./dialects/dialect.ts";
import { contractTimeout, type DialectName, dialectOf } from "./dialects/index.ts";
import { getAnswerFor } from "./get-answer.ts";

/** The entries in `tools/list` for these tools, followed by their companion `get_answer`. */
export function toolDefinitions(names: readonly DialectName[], defaultTimeout: number = contractTimeout): ToolDefinition[] {
  return [...names.map((name) => dialectOf(name).definition({ defaultTimeout })), getAnswerFor(names)];
}
