import { parseAskJson } from "../exact-json.ts";
import { readAction } from "./questions/action.ts";
import { typeNamed } from "./questions/index.ts";

type Fields = Record<string, unknown>;

/**
 * Accepts the formats of other ask tools that models were trained on, and converts them to the `ask_user` contract's input: Claude Code's,
 * OpenCode's, Gemini CLI's, Codex's, VS Code's, `ask_user_questions`' and MCP's `{const, title}`. The contract's own fields take
 * precedence; null is dropped; anything else is kept, to be rejected with the contract's own messages. Valid input is returned unchanged.
 */
export function understand(input: unknown): unknown {
  const fields = fieldsOf(input);
  if (fields === undefined) return input;
  const { timeout } = fields;
  const value = fromJson(fields["questions"]);
  const isOneQuestion = value === undefined && textOf(fields) !== undefined;
  const questions = isOneQuestion ? [withoutTitle(fields)] : fieldsOf(value) === undefined ? value : [value];
  return {
    ...fields,
    ...(questions === undefined ? {} : { questions: Array.isArray(questions) ? questions.map(understandQuestion) : questions }),
    ...(typeof timeout === "string" && /^\d{1,12}$/.test(timeout.trim()) ? { timeout: Number(timeout) } : {}),
  };
}

function understandQuestion(input: unknown): unknown {
  if (typeof input === "string") return { question: input };
  const fields = fieldsOf(input);
  if (fields === undefined) return input;
  const { prompt: _prompt, message: _message, title: _title, multiSelect, multiple, custom, allowFreeformInput, ...rest } = fields;
  const text = textOf(fields);
  const message = text === fields["message"] ? undefined : fields["message"];
  const options = listOf(fields["options"], optionOf);
  const type = typeNamed(fields["type"], {
    many: flag(multiSelect ?? multiple) === true,
    hasOptions: Array.isArray(options) && options.length > 0,
  });
  return withoutGaps({
    ...rest,
    question: text,
    message,
    header: fields["header"] ?? fields["title"],
    type,
    options,
    images: listOf(rest["images"], imageOf),
    action: readAction(rest["action"]),
    denial: fromJson(rest["denial"]),
    required: flag(fields["required"]),
    allowOther: flag(fields["allowOther"] ?? custom ?? allowFreeformInput),
  });
}

/** The question's text; `message` only if there is no other. */
const textOf = ({ question, prompt, message }: Fields): unknown => question ?? prompt ?? message;

function listOf(value: unknown, read: (input: unknown) => unknown): unknown {
  const list = fromJson(value);
  return Array.isArray(list) ? list.map(read) : list;
}

function optionOf(input: unknown): unknown {
  const fields = fieldsOf(input);
  if (fields === undefined) return input;
  const { const: constant, title, ...rest } = fields;
  const value = rest["value"] ?? constant;
  return withoutGaps({
    ...rest,
    images: listOf(rest["images"], imageOf),
    label: rest["label"] ?? title ?? value,
    value,
    recommended: flag(rest["recommended"]),
  });
}

const imageOf = (input: unknown): unknown => (typeof input === "string" ? { src: input } : (fieldsOf(input) ?? input));

/** The fields of an object, without those that are null. */
function fieldsOf(input: unknown): Fields | undefined {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined;
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

const withoutGaps = (fields: Fields): Fields => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const withoutTitle = ({ title: _title, timeout: _timeout, ...question }: Fields): Fields => question;

/** Converts a boolean sent as a string; returns anything else unchanged. */
const flag = (value: unknown): unknown => (value === "true" ? true : value === "false" ? false : value);

/** Parses arrays and objects that were sent as JSON text, with the exact arguments of actions. */
function fromJson(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return parseAskJson(value);
  } catch {
    return value;
  }
}
