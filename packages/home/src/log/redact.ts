const secretName = /token|secret|proofKey|password|authorization|cookie|credential/i;
/** A token, as created by `createToken` of the hub. */
const token = /\babx_[\w-]+/g;
const bearer = /\b(Bearer\s+)[^\s"']+/gi;
/** How `fetch` refuses a header, after its value in quotes. */
const refused = '" is an invalid header value';

const redactText = (text: string) => withoutHeader(text).replace(token, "[redacted]").replace(bearer, "$1[redacted]");

/** Without all lines of the value. It is searched for, since a regular expression would begin again at each quote. */
function withoutHeader(text: string): string {
  const [from, to] = [text.indexOf('"'), text.lastIndexOf(refused)];
  return from < to ? `${text.slice(0, from + 1)}[redacted]${text.slice(to)}` : text;
}

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
