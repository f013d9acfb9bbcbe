import { AskboxError } from "@askbox/core";

/** A path that needs no escaping anywhere; empty for the root. */
const plainPath = /^(\/[\w.~-]+)*$/;

export function checkedBasePath(basePath: string): string {
  if (plainPath.test(basePath)) return basePath;
  throw new AskboxError("VALIDATION", 'A basePath must start with a slash and not end with one, such as "/askbox".');
}

/** An origin, which may have a path that a proxy strips, without a trailing slash. Throws `VALIDATION`. */
export function checkedOrigin(origin: string): { origin: string; path: string } {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  const path = url?.pathname.replace(/\/$/, "") ?? "";
  if (url !== undefined && /^https?:$/.test(url.protocol) && plainPath.test(path)) return { origin: url.origin, path };
  throw new AskboxError(
    "VALIDATION",
    'An origin must be an http or https URL, such as "https://app.example" or "https://app.example/tools".',
  );
}
