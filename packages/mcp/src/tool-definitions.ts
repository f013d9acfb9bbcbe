import type { ToolDefinition } from "./dialects/dialect.ts";
import { contractTimeout, type DialectName, dialectOf } from "./dialects/index.ts";
import { getAnswerFor } from "./get-answer.ts";

/** What `tools/list` says where these tools are offered, their companion `get_answer` last. */
export function toolDefinitions(names: readonly DialectName[], defaultTimeout: number = contractTimeout): ToolDefinition[] {
  return [...names.map((name) => dialectOf(name).definition({ defaultTimeout })), getAnswerFor(names)];
}
