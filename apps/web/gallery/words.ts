import type { AskedQuestion } from "./questions.ts";

/** Texts that test the layout; each replaces an agent's own text. */
export const words = {
  long: (text: string) =>
    `${text} ${"It goes on for longer than anybody would like to read, with an unbroken ".repeat(2)}${"Zeichenkettenwurst".repeat(6)}`,
  rightToLeft: () => "هل يجب أن نستخدم SQLite أم Redis لتخزين الجلسات؟",
  chinese: () => "会话应该存储在哪里？请选择一种对现有部署影响最小的方案，并说明理由。",
  hostile: (text: string) => `<img src=x onerror=alert(1)> \u202E${text}\u200B\u2066 [go](javascript:alert(1)) \u001b[31m`,
} as const;

export type Words = keyof typeof words;

const prose = ["question", "header", "description", "placeholder", "unit", "minLabel", "maxLabel"];
/** A chip and a unit are short. */
const short = ["header", "unit", "minLabel", "maxLabel"];

/** The question with its texts replaced; options stay distinct. */
export function inWords(question: AskedQuestion, kind: Words): AskedQuestion {
  const other = (name: string, text: string) => {
    const changed = words[kind](text);
    return short.includes(name) ? changed.slice(0, 24) : changed;
  };
  const changed = Object.entries(question).map(([name, value]): [string, unknown] => {
    if (prose.includes(name) && typeof value === "string") return [name, other(name, value)];
    if (name !== "options" || !Array.isArray(value)) return [name, value];
    const options = (value as (string | { label: string; description?: string })[]).map((option, index) => {
      const fields = typeof option === "string" ? { label: option } : option;
      const { description } = fields;
      return {
        ...fields,
        value: `option ${index}`,
        label: `${other("label", fields.label)} ${index + 1}`,
        description: description && other("description", description),
      };
    });
    return [name, options];
  });
  return Object.fromEntries(changed) as AskedQuestion;
}
