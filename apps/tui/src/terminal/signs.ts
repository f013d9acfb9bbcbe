import { cut } from "@askbox/core/questions";

/** Control sequences for the terminal besides the screen. All text in them is our own or sanitised. */
type Environment = Readonly<Record<string, string | undefined>>;

const esc = "\u001b";
const st = `${esc}\\`;

/** Sets the window's title, from our own text only; saves the previous one, which `restoredTitle` brings back. */
export const savedTitle = `${esc}[22;2t`;
export const restoredTitle = `${esc}[23;2t`;
export const windowTitle = (waiting: number): string => `${esc}]2;${waiting === 0 ? "askbox" : `askbox (${waiting})`}${st}`;

export const bell = "\u0007";

/** A desktop notification if the terminal is known to support them, otherwise nothing. `line` must be sanitised. */
export function desktopNotification(env: Environment, line: string): string {
  const text = cut(line.replace(/[;\p{Cc}]/gu, " "), 120, "");
  const term = env["TERM"] ?? "";
  const program = env["TERM_PROGRAM"] ?? "";
  if (term.includes("kitty")) return `${esc}]99;i=askbox;askbox: ${text}${st}`;
  if (term.startsWith("rxvt") || term.startsWith("foot")) return `${esc}]777;notify;askbox;${text}${st}`;
  const known = /^(iTerm\.app|WezTerm|ghostty)$/.test(program) || term.includes("ghostty");
  return known ? `${esc}]9;askbox: ${text}${esc}\\` : "";
}

/** Writes to the terminal's clipboard (OSC 52). Works over SSH too, if the terminal allows it. */
export const toClipboard = (text: string): string => `${esc}]52;c;${Buffer.from(text, "utf8").toString("base64")}${st}`;
