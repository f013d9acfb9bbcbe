import type { Answer, Question } from "@askbox/core";
import { expectedAnswer, imageLines, type Option, takesOther } from "@askbox/core/questions";
import { terminalLine, terminalText } from "@askbox/terminal-text";
import { actionLines, documentBlock } from "./action-lines.ts";
import { excerpt } from "./excerpt.ts";
import { shorten, wrap } from "./layout.ts";
import { shownAnswer } from "./outcome-text.ts";
import type { Paint } from "./paint.ts";

/** What the contract does not limit is cut for display; `--json` has it whole. */
export const maxDetailLength = 2_000;

/** A question with its options, and its answer if there is one. `number` is printed before it. */
export function questionBlock(
  question: Question,
  shown: { number: string; answer: Answer | undefined },
  { columns, paint }: { columns: number; paint: Paint },
): string {
  const indent = Math.max(2, shown.number.length);
  const start = " ".repeat(indent);
  const header = question.header === undefined ? "" : `[${shorten(terminalLine(question.header), 40)}] `;
  const lines = [shown.number + wrap(header + terminalText(question.question), columns, indent), start + paint("dim", traits(question))];
  if ("action" in question) lines.push(...actionLines(question.action, { columns, indent, paint }));
  if ("document" in question) lines.push(...documentBlock(question, { columns, indent, paint }));
  for (const line of imageLines(question)) lines.push(start + wrap(excerpt(terminalText(line), maxDetailLength), columns, indent));
  if ("options" in question) {
    question.options.forEach((option, index) => {
      lines.push(optionBlock(option, index, { columns, indent, paint, chosen: shown.answer?.values.includes(option.value) ?? false }));
    });
  }
  if (shown.answer !== undefined) {
    lines.push(`${start}${paint("green", "→")} ${wrap(shownAnswer(question, shown.answer), columns, indent + 2)}`);
    if (shown.answer.note !== undefined)
      lines.push(`${start}Note: ${wrap(excerpt(terminalText(shown.answer.note), maxDetailLength), columns, indent + 6)}`);
  }
  return lines.join("\n");
}

/** The question's id, type and expected answer. */
function traits(question: Question): string {
  const expected = shorten(terminalLine(expectedAnswer(question)), 120);
  const parts = [shorten(terminalLine(question.id), 60), expected, question.required ? "required" : "optional"];
  if (takesOther(question)) parts.push("or your own words");
  if ("placeholder" in question && question.placeholder !== undefined)
    parts.push(`hint: ${shorten(terminalLine(question.placeholder), 60)}`);
  if ("suggestion" in question && question.suggestion !== undefined)
    parts.push(`suggested by the agent: ${shorten(terminalLine(question.suggestion), 60)}`);
  return parts.join(" · ");
}

function optionBlock(option: Option, index: number, at: { columns: number; indent: number; paint: Paint; chosen: boolean }): string {
  const number = `#${index + 1} `;
  const indent = at.indent + number.length + 1;
  const label = shorten(terminalLine(option.label), 200);
  const value = option.value === option.label ? "" : at.paint("dim", ` (${shorten(terminalLine(option.value), 60)})`);
  const recommended = option.recommended ? at.paint("dim", " – recommended by the agent") : "";
  const lines = [`${at.chosen ? at.paint("green", number) : number} ${wrap(label, at.columns, indent)}${value}${recommended}`];
  for (const detail of [option.description, option.preview]) {
    if (detail !== undefined) lines.push(wrap(excerpt(terminalText(detail), maxDetailLength), at.columns, indent));
  }
  const start = " ".repeat(at.indent);
  return [start + lines[0], ...lines.slice(1).map((line) => " ".repeat(indent) + at.paint("dim", line))].join("\n");
}
