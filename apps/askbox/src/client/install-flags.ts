import type { Scope } from "@askbox/clients";
import { quote } from "@askbox/core/schemas";
import { type DialectName, dialectNames, isDialectName } from "@askbox/mcp";
import { usageError } from "../usage.ts";

export interface InstallFlags {
  scope?: Scope;
  project?: string;
  http?: boolean;
  tools?: string;
  agent?: string;
  maxWait?: number;
  prefer?: boolean;
  exclusive?: boolean;
  optional?: boolean;
  withHooks?: boolean;
  approvals?: boolean;
  askFirst?: boolean;
  skill?: boolean;
  replace?: boolean;
  worktree?: string;
  list?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

export function readTools(text: string | undefined): DialectName[] | undefined {
  if (text === undefined) return undefined;
  const names = text.split(",").map((name) => name.trim());
  return names.map((name) => {
    if (!isDialectName(name)) throw usageError(`--tools: there is no tool ${quote(name)}; choose from ${dialectNames.join(", ")}.`);
    return name;
  });
}
