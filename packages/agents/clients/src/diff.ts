import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import type { Step } from "./plan.ts";

const none = "/dev/null";

/** What a step would change, as a unified diff; empty if nothing. */
export function diffOf({ path, before, after, action }: Step): string {
  if (action === "none") return "";
  const [from, to] = [action === "create" ? none : path, action === "remove" ? none : path];
  return createTwoFilesPatch(from, to, before, after, undefined, undefined, { context: 2, headerOptions: FILE_HEADERS_ONLY });
}
