import { type DialectName, defaultTool, type ToolDefinition, toolDefinitions } from "@askbox/mcp";
import type { SkillTexts } from "../client.ts";
import { fieldsOf } from "./fields.ts";

/** Teaches an agent when and how to ask a person, generated from the tools' own definitions. */
export function skillTexts(tools: readonly DialectName[]): SkillTexts {
  const definitions = toolDefinitions(tools);
  const [asking = defaultTool] = tools;
  const instruction = guide(definitions, asking);
  return { instruction, skill: `${head(asking)}\n# Asking a person\n\n${instruction}\n\n${definitions.map(reference).join("\n\n")}\n` };
}

const head = (tool: string) => `---
name: askbox
description: Ask the person you work for, and wait for the answer, with askbox's ${tool} tool. Use when a decision, a missing fact or a confirmation would change what you do next, and before anything destructive or hard to undo.
---
`;

/** When to ask, and what the outcomes mean. */
function guide(definitions: readonly ToolDefinition[], asking: string): string {
  const names = definitions.map(({ name }) => `\`${name}\``).join(", ");
  return `The askbox server (${names}) puts questions to the person you work for and brings the answer back in the same call. They may answer from a terminal, a browser or a phone, so ask even when nobody seems to be at this client.

Ask with \`${asking}\` when
- a decision is theirs to make, and the options lead to different work;
- a fact is missing that you cannot find in the project or look up;
- what comes next is destructive, costs money, is seen by others, or is hard to undo.

Do not ask what you can find out, what they have said already, or only to report progress.

Ask well: one to three short questions that belong together in one call, each understandable on its own, with concrete options and the one you advise marked.

Only an answer is an answer. A question that was cancelled or timed out is not consent: take the safe option, or ask again. When a result is pending, call \`get_answer\` to keep waiting; the question stays open in the meantime. When they ask you something back, reply as the result says; that is not an answer yet. Never answer for the person.`;
}

/** A tool's own description, with every input and output field. */
function reference({ name, title, description, inputSchema, outputSchema }: ToolDefinition): string {
  const takes = fieldsOf(inputSchema).map(({ line }) => line);
  const gives = outputSchema === undefined ? [] : fieldsOf(outputSchema).map(({ line }) => line);
  return [
    `## \`${name}\`: ${title}`,
    description,
    ...(takes.length === 0 ? [] : [`Takes:\n\n${takes.join("\n")}`]),
    ...(gives.length === 0 ? [] : [`Gives back:\n\n${gives.join("\n")}`]),
  ].join("\n\n");
}
