import type { AskResult } from "@askbox/core";
import { cut } from "@askbox/core/questions";
import { isObject } from "../json.ts";

/** The relevant part of the input of Claude Code's `AskUserQuestion`. It may contain anything, since a model wrote it. */
interface Asked {
  question: string;
  header?: string;
  options: { label: string; description?: string; preview?: string }[];
  multiSelect: boolean;
}

/** The contract's own limit; longer text is shown shortened, and answered under its full text. */
const maxQuestionLength = 1_000;

const idOf = (index: number) => `question-${index + 1}`;

/** The tool's questions as `ask_user`'s input. Undefined if they are not understood. */
export function questionsOf(toolInput: unknown): { questions: Record<string, unknown>[] } | undefined {
  const asked = read(toolInput);
  if (asked.length === 0) return undefined;
  return {
    questions: asked.map(({ question, header, options, multiSelect }, index) => ({
      id: idOf(index),
      question: cut(question, maxQuestionLength),
      ...(header !== undefined && { header }),
      ...(options.length === 0 ? { type: "text" } : { type: multiSelect ? "multi-select" : "select", options }),
    })),
  };
}

/**
 * The tool's input with a person's answers, as Claude Code expects them from a hook: by the question's text, several choices joined by
 * commas. Questions with the same text share an entry.
 */
export function answeredInput(toolInput: unknown, { answers, comment }: AskResult): Record<string, unknown> {
  const texts = new Map<string, string>();
  const annotations = new Map<string, { preview?: string; notes?: string }>();
  for (const [index, { question, options }] of read(toolInput).entries()) {
    const answer = answers.find(({ questionId }) => questionId === idOf(index));
    if (answer === undefined) continue;
    const words = [...answer.values, ...(answer.customText === undefined ? [] : [answer.customText])].join(", ");
    const present = texts.get(question);
    if (words !== "") texts.set(question, present === undefined ? words : `${present}; ${words}`);
    const preview = answer.values.length === 1 ? options.find(({ label }) => label === answer.values[0])?.preview : undefined;
    const notes = [answer.note, index === 0 ? comment : undefined].filter((note) => note !== undefined && note !== "").join("\n");
    if (preview !== undefined || notes !== "") {
      annotations.set(question, { ...(preview !== undefined && { preview }), ...(notes !== "" && { notes }) });
    }
  }
  return {
    ...(isObject(toolInput) ? toolInput : {}),
    answers: Object.fromEntries(texts),
    ...(annotations.size > 0 && { annotations: Object.fromEntries(annotations) }),
  };
}

function read(toolInput: unknown): Asked[] {
  const { questions } = Object(toolInput) as { questions?: unknown };
  const list: unknown = typeof questions === "string" ? parsed(questions) : questions;
  if (!Array.isArray(list)) return [];
  return list.slice(0, 10).flatMap((item: unknown) => {
    const { question, header, options, multiSelect } = Object(item) as Record<string, unknown>;
    if (typeof question !== "string" || question.trim() === "") return [];
    const known = new Set<string>();
    const choices = (Array.isArray(options) ? options : []).flatMap((option: unknown) => {
      const { label, description, preview } = (typeof option === "string" ? { label: option } : Object(option)) as Record<string, unknown>;
      // Duplicate choices count once.
      if (typeof label !== "string" || label.trim() === "" || known.has(label)) return [];
      known.add(label);
      return [{ label, ...(typeof description === "string" && { description }), ...(typeof preview === "string" && { preview }) }];
    });
    return [{ question, ...(typeof header === "string" && { header }), options: choices, multiSelect: multiSelect === true }];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
