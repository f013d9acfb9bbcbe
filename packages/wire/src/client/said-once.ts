import type { AskRequest } from "@askbox/core";

/**
 * The request without what the hub fills in again: a value that is its option's label. Else a long label would count twice towards the bound of a
 * request, and what one way in takes would be refused on another.
 */
export function saidOnce({ questions, ...request }: AskRequest): object {
  return { ...request, questions: questions.map(withoutRepeats) };
}

function withoutRepeats(question: AskRequest["questions"][number]): object {
  if (!("options" in question) || !Array.isArray(question.options)) return question;
  const options = question.options.map(({ value, ...option }) => (value === option.label ? option : { ...option, value }));
  return { ...question, options };
}
