import { toAskboxError } from "@askbox/core";
import { terminalLine } from "@askbox/terminal-text";

/** The result of one check. */
export interface Finding {
  /** What was checked, such as `hub` or `store`; several findings may have the same name. */
  check: string;
  status: "ok" | "warn" | "fail";
  /** A sentence that describes the state and, if something is wrong, how to fix it. */
  message: string;
}

/** The input of checks. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  /** This program's version. */
  version: string;
  /** A hub other than this home's. */
  hubUrl: string | undefined;
  tokenFile: string | undefined;
  /** Wall time. */
  now(): number;
}

export const ok = (check: string, message: string): Finding => ({ check, status: "ok", message });
export const warn = (check: string, message: string): Finding => ({ check, status: "warn", message });
export const fail = (check: string, message: string): Finding => ({ check, status: "fail", message });

/** The findings of a check; a check that throws is a finding too. */
export async function found(check: string, look: () => Promise<Finding[]> | Finding[]): Promise<Finding[]> {
  try {
    return await look();
  } catch (thrown) {
    return [fail(check, terminalLine(toAskboxError(thrown).message))];
  }
}
