import { limits } from "./limits.ts";

type Fields = Readonly<Record<string, unknown>>;

const maxLengths: ReadonlyMap<string, number> = new Map(Object.entries(limits.fieldLength));

/** What is too long in a question, as a clause that begins with the field's path: `options[0].label must be …`. */
export function lengthProblem(question: Fields): string | undefined {
  const { options } = question;
  const offered = Array.isArray(options) ? options : [];
  if (offered.length > limits.options.max) return `options must be at most ${limits.options.max} items long`;
  for (const [index, option] of offered.entries()) {
    const problem = tooLong(typeof option === "string" ? { label: option } : (option as Fields));
    if (problem !== undefined) return `options[${index}]${typeof option === "string" ? problem.slice("label".length) : `.${problem}`}`;
  }
  return tooLong(question);
}

function tooLong(fields: Fields): string | undefined {
  for (const [name, value] of Object.entries(fields)) {
    const max = maxLengths.get(name);
    if (max !== undefined && typeof value === "string" && value.length > max) return `${name} must be at most ${max} characters long`;
  }
  return undefined;
}
