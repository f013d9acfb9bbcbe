const secretName = /token|secret|proofKey|password|authorization|cookie|credential/i;
/** A token, as created by `createToken` of the hub. */
const token = /\babx_[\w-]+/g;
const bearer = /\b(Bearer\s+)[^\s"']+/gi;
/** How `fetch` refuses a header, with all lines of its value. */
const header = /".*" is an invalid header value/gs;

const redactText = (text: string) =>
  text.replace(header, '"[redacted]" is an invalid header value').replace(token, "[redacted]").replace(bearer, "$1[redacted]");

/** The data without secrets, recognized by value or name. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value !== "object" || value === null || depth > 6) return value;
  if (value instanceof Error) return { name: value.name, message: redact(value.message), stack: redact(value.stack) };
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      secretName.test(name) && typeof inner === "string" ? "[redacted]" : redact(inner, depth + 1),
    ]),
  );
}
