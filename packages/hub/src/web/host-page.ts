import { AskboxError } from "@askbox/core";

/** What the page shows to people who are not logged in. */
export interface LockedPage {
  /** A sentence or two, such as "Log in to Example to see its questions." Default: a sentence in the page's language. */
  text?: string | undefined;
  /** Where to log in: an address with `https:` or `http:`, or a path of the page's origin. */
  link?: { text: string; url: string } | undefined;
}

/**
 * What the page learns about the program that its hub is part of, as HTML for its head: whether that program's session is a login, and what
 * the locked page says. Nothing for askbox itself. Throws `VALIDATION` for a link that is not a web address.
 */
export function hostHead({ session, locked = {} }: { session: boolean; locked: LockedPage | "askbox open" | undefined }): string {
  if (locked === "askbox open") return "";
  const { text, link } = locked;
  if (link !== undefined && !isWebAddress(link.url)) {
    throw new AskboxError("VALIDATION", "The link of locked must be an http or https address, or a path.");
  }
  return `<meta name="askbox-host" content="${escaped(JSON.stringify({ session, text, link }))}">`;
}

function isWebAddress(address: string): boolean {
  const base = "https://page.invalid";
  return URL.canParse(address, base) && ["https:", "http:"].includes(new URL(address, base).protocol);
}

// keys: the characters of a regular expression.
const entities: Readonly<Record<string, string>> = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" };
const escaped = (text: string) => text.replace(/[&"<>]/g, (character) => entities[character] ?? "");
