import type { Answer } from "@askbox/core";
import { answerText } from "@askbox/core/questions";
import { answerOf, errorOf } from "@askbox/inbox";
import { fieldOf } from "../model/form-items.ts";
import { emptyRow, line, type Row, span, wrap } from "../text/row.ts";
import type { Body, BodyBuilder } from "./body.ts";
import { addExtra, type FormView } from "./form-field.ts";

/** The whole answer as it would be sent, and Send. */
export function reviewBody(view: FormView, builder: BodyBuilder): Body {
  const { width } = view;
  builder.add([line([span("Review before sending", "heading")], width), emptyRow]);
  for (const [index, item] of view.items.entries()) {
    const isFocused = index === view.item;
    if (item.kind === "answer") builder.add(answerRows(view, item.step, isFocused), isFocused);
    else if (item.kind === "send") builder.add([emptyRow]).add(sendRows(view, isFocused), isFocused);
    else addExtra(builder, view, item, isFocused);
  }
  return builder.body;
}

function answerRows({ state, width, plain }: FormView, step: number, isFocused: boolean): Row[] {
  const question = state.session.questions[step];
  if (question === undefined) return [];
  const field = fieldOf(state, question);
  const answer: Answer = answerOf(question, field);
  const text = answerText(question, answer);
  const error = errorOf(question, field);
  const lead = [span(isFocused ? (plain ? "current, " : "› ") : plain ? "" : "  ", "accent"), span(`${step + 1} `, "dim")];
  const asked = wrap([span(question.header ?? firstLine(question.question), isFocused ? "selection" : "heading")], width, { first: lead });
  const indent = { first: [span("    ")] };
  const shown = error !== undefined ? span(`! ${error.message}`, "error") : text === "" ? span("skipped", "dim") : span(text);
  const note = answer.note === undefined ? [] : wrap([span("Note: ", "dim"), span(answer.note, "dim")], width, indent);
  return [...asked.slice(0, 2), ...wrap([shown], width, indent), ...note];
}

function sendRows({ state, width, plain }: FormView, isFocused: boolean): Row[] {
  const { missing } = state.progress;
  const label = state.mode === "reply" ? "Send the reply" : "Send";
  const lead = [span(isFocused ? (plain ? "current, " : "› ") : "  ", "accent")];
  const hint =
    missing === 0 ? [] : [span(`  ${missing} ${missing === 1 ? "question still needs" : "questions still need"} an answer`, "warning")];
  return wrap([span(`[ ${label} ]`, isFocused ? "selection" : undefined), ...hint], width, { first: lead });
}

const firstLine = (text: string): string => text.split("\n")[0] ?? "";
