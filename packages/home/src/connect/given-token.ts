import { readFileSync } from "node:fs";
import { AskboxError } from "@askbox/core";

export interface GivenToken {
  env?: Readonly<Record<string, string | undefined>>;
  /** Instead of this home's token (`ASKBOX_TOKEN`). */
  token?: string | undefined;
  /** A file that contains only the token (`--token-file`). */
  tokenFile?: string | undefined;
}

/** What can be sent as a token: in a header, nothing else gets through unchanged. */
const tokenText = /^[!-~]{1,1000}$/;

/**
 * The token that was given for the hub: by the caller, in a file, or in `ASKBOX_TOKEN`. Throws `UNAUTHORIZED` for what cannot be one, since
 * a hub could only refuse it; the error names its place and never a part of it.
 */
export function givenToken({ token, tokenFile, env = process.env }: GivenToken): string | undefined {
  if (token) return checked(token, "The given token");
  if (tokenFile !== undefined) return checked(readTokenFile(tokenFile), `The token file ${tokenFile}`);
  const variable = env["ASKBOX_TOKEN"]?.trim();
  return variable ? checked(variable, "ASKBOX_TOKEN") : undefined;
}

function readTokenFile(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw new AskboxError("UNAUTHORIZED", `The token file ${path} cannot be read; correct --token-file.`, { cause });
  }
  if (text.includes("\0")) throw new AskboxError("UNAUTHORIZED", `The token file ${path} is not UTF-8 text; save the token as UTF-8.`);
  // Also without a byte order mark.
  return text.trim();
}

function checked(text: string, place: string): string {
  if (tokenText.test(text)) return text;
  const fault = text === "" ? "is empty" : "has more than a token";
  throw new AskboxError("UNAUTHORIZED", `${place} ${fault}; put the token there alone, in one line without spaces.`);
}
