import { toAskboxError } from "@askbox/core";
import { terminalLine } from "@askbox/terminal-text";

/** What one check came to. */
export interface Finding {
  /** What was looked at: `hub`, `store` and the like; several findings may share it. */
  check: string;
  status: "ok" | "warn" | "fail";
  /** A sentence that says what is, and for what is wrong how to fix it. */
  message: string;
}

/** What checks look at. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  /** This program's version. */
  version: string;
  /** Another hub than this home's. */
  hubUrl: string | undefined;
  tokenFile: string | undefined;
  /** Wall time. */
  now(): number;
}

export const ok = (check: string, message: string): Finding => ({ check, status: "ok", message });
export const warn = (check: string, message: string): Finding => ({ check, status: "warn", message });
export const fail = (check: string, message: string): Finding => ({ check, status: "fail", message });

/** What a check finds; one that itself fails is a finding too. */
export async function found(check: string, look: () => Promise<Finding[]> | Finding[]): Promise<Finding[]> {
  try {
    return await look();
  } catch (thrown) {
    return [fail(check, terminalLine(toAskboxError(thrown).message))];
  }
}
