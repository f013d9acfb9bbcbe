/** A decimal in canonical form: `-3.5`, `0`, `1200`; no exponent, no unnecessary zeros. */
export type Decimal = string;

export type DecimalReading = { decimal: Decimal } | { refused: "not_a_number" | "ambiguous_number" | "too_precise" };

const plain = /^([+-]?)(\d+)(?:\.(\d+))?$/;
/** Three decimal places that end in zero after one to three digits: `1.000` is one here and a thousand elsewhere. */
const looksGrouped = /^[+-]?[1-9]\d{0,2}\.\d{2}0$/;
/** More digits than any JSON number needs. */
const longest = 400;

/**
 * Parses a number as a person writes it, and rejects anything ambiguous: separators, commas, exponents, and `1.000`. The result is exactly
 * the JSON number: digits that a double cannot represent are rejected, not rounded.
 */
export function readDecimal(text: string): DecimalReading {
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
