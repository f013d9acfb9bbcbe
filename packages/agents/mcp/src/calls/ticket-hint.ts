import type { CallToolResult } from "@modelcontextprotocol/server";

/** Adds a sentence to a ticket: after its texts, and to the field that says what to call next, since clients drop one or the other. */
export function withHint(told: CallToolResult, hint: string): CallToolResult {
  const { content } = told;
  const before = told.structuredContent as Record<string, unknown> | undefined;
  const said = { type: "text" as const, text: hint };
  if (typeof before?.["next"] !== "string") return { ...told, content: [...content, said] };
  const structuredContent = { ...before, next: `${before["next"]} ${hint}` };
  const whole = JSON.stringify(before);
  const texts = content.map((block) =>
    "text" in block && block.text === whole ? { ...block, text: JSON.stringify(structuredContent) } : block,
  );
  return { ...told, content: [...texts, said], structuredContent };
}
