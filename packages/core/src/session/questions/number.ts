import { defined } from "../../objects.ts";
import { quote } from "../../texts.ts";
import { type AnswerProblem, type AskedType, baseOf, isSkipped, problem, QuestionRefusal, rangeText } from "./question-type.ts";
import type { QuestionOf } from "./schemas.ts";
import { checkSingle, refuseEmptyRange, singleText, suggestionOf, tidySingle } from "./single-value.ts";

/** A number: one value, a decimal with a point, such as `3.5`. */
export const number = {
  type: "number",
  typed: "value",
  widget: () => "line",
  formField: ({ min, max, integer }) => ({ type: integer ? "integer" : "number", ...defined({ minimum: min, maximum: max }) }),
  metavar: () => "NUMBER",
  parse({ placeholder, min, max, integer, unit, suggestion, ...rest }, id) {
    const [least, most] = [limitOf("min", min), limitOf("max", max)];
    refuseEmptyRange(least, most);
    if (integer && least !== undefined && most !== undefined && Math.ceil(least) > Math.floor(most)) {
      throw new QuestionRefusal(`has no whole number from its min of ${least} to its max of ${most}`);
    }
    const limits = defined({ min: least, max: most, integer: integer === true ? true : undefined });
    const proposed = suggestion === undefined ? undefined : writtenOut("suggestion", suggestion);
    return {
      ...baseOf(rest, id),
      type: "number",
      ...defined({ placeholder }),
      ...limits,
      ...defined({ unit, suggestion: suggestionOf(proposed, (value) => checkNumber(limits, value)) }),
    };
  },
  tidy: (_question, answer) => tidySingle(answer, tidied),
  check: (question, answer) => checkSingle(question, answer, "number", (value) => checkNumber(question, value)),
  text: ({ unit }, answer) => (unit === undefined || isSkipped(answer) ? singleText(answer) : `${singleText(answer)} ${unit}`),
  expects({ min, max, integer, unit }) {
    const what = integer ? "a whole number" : "a number";
    return `${what}${rangeText(writtenLimit(min), writtenLimit(max))}${unit === undefined ? "" : `, in ${unit}`}`;
  },
} satisfies AskedType<"number">;

type Limits = Pick<QuestionOf<"number">, "min" | "max" | "integer">;

function checkNumber({ min, max, integer }: Limits, value: string): AnswerProblem | undefined {
  const read = readDecimal(value);
  if ("refused" in read) return problem(read.refused, sentences[read.refused]);
  if (integer && value.includes(".")) return problem("not_whole", "Enter a whole number, without a point.");
  const size = Number(read.decimal);
  // Readers of JSON that keep integers, and schemas of them, stop at the integers that a double represents.
  if (integer && !Number.isSafeInteger(size)) return problem("too_precise", sentences.too_precise);
  if (min !== undefined && size < min) return problem("too_small", `The number must be at least ${decimalOf(min)}.`, decimalOf(min));
  if (max !== undefined && size > max) return problem("too_large", `The number must be at most ${decimalOf(max)}.`, decimalOf(max));
  return undefined;
}

const sentences = {
  not_a_number:
    "This isn't a number, or can be read in more than one way; use only digits, with a point for decimals, such as 1000 or 1.5.",
  ambiguous_number: "This can be read in two ways; leave out the trailing zeros, or the point.",
  too_precise: "This number has too many digits to be stored exactly; the limit is about 15.",
} as const;

function tidied(value: string): string {
  const read = readDecimal(value);
  return "decimal" in read ? read.decimal : value;
}

const writtenLimit = (limit: number | undefined) => (limit === undefined ? undefined : decimalOf(limit));

function limitOf(name: "min" | "max", limit: number | string | undefined): number | undefined {
  return limit === undefined ? undefined : Number(writtenOut(name, limit));
}

/** A number that an agent sent, as a decimal. */
function writtenOut(name: string, sent: number | string): Decimal {
  const read = readDecimal(typeof sent === "number" ? (decimalOf(sent) ?? "") : sent);
  if ("decimal" in read) return read.decimal;
  throw new QuestionRefusal(`has a ${name} that is not a plain number: ${quote(sent)}`);
}

/** A decimal in canonical form: `-3.5`, `0`, `1200`; no exponent, no unnecessary zeros. */
type Decimal = string;

type DecimalReading = { decimal: Decimal } | { refused: "not_a_number" | "ambiguous_number" | "too_precise" };

const plain = /^([+-]?)(\d+)(?:\.(\d+))?$/;
/** Three decimal places that end in zero after one to three digits: `1.000` is one here and a thousand elsewhere. */
const looksGrouped = /^[+-]?[1-9]\d{0,2}\.\d{2}0$/;
/** More digits than any JSON number needs. */
const longest = 400;

/**
 * Parses a number as a person writes it, and rejects anything ambiguous: separators, commas, exponents, and `1.000`. The result is exactly
 * the JSON number: digits that a double cannot represent are rejected, not rounded.
 */
function readDecimal(text: string): DecimalReading {
  // A real minus sign may be pasted, and has no other meaning.
  const written = text.trim().replace(/^\u2212/, "-");
  const match = written.length > longest ? null : plain.exec(written);
  if (match === null) return { refused: "not_a_number" };
  if (looksGrouped.test(written)) return { refused: "ambiguous_number" };
  const [, sign, whole = "", places = ""] = match;
  // linear: it is only tried at the start.
  const digits = whole.replace(/^0+(?=\d)/, "");
  // linear: a run is only tried from its first character.
  const fraction = places.replace(/(?<!0)0+$/, "");
  const size = fraction === "" ? digits : `${digits}.${fraction}`;
  const decimal = sign === "-" && size !== "0" ? `-${size}` : size;
  return decimalOf(Number(decimal)) === decimal ? { decimal } : { refused: "too_precise" };
}

/** The number written out; undefined if it is not finite. */
export function decimalOf(value: number): Decimal | undefined {
  if (!Number.isFinite(value)) return undefined;
  const [mantissa = "", exponent] = String(value === 0 ? 0 : value).split("e");
  if (exponent === undefined) return mantissa;
  const sign = mantissa.startsWith("-") ? "-" : "";
  const [whole = "", places = ""] = mantissa.replace("-", "").split(".");
  const digits = whole + places;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  return digits.length <= point ? sign + digits.padEnd(point, "0") : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}
