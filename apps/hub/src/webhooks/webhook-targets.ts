import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { AskboxError } from "@askbox/core";
import type { Config } from "@askbox/home";
import { credentialProblems, type Target, webhookTarget } from "@askbox/notify";

/**
 * The targets of a config, with their secrets. Throws `VALIDATION` with one sentence if a secret's file cannot be read or contains an
 * invalid secret. `folder`: the config's own.
 */
export function webhookTargets(webhooks: Config["webhooks"], folder: string): Target[] {
  return webhooks.map(({ secretFile, ...entry }) => {
    if (secretFile === undefined) return webhookTarget(entry, undefined);
    const path = resolve(folder, secretFile);
    const target = webhookTarget(entry, readSecret(path));
    for (const problem of credentialProblems({ ...target })) {
      throw new AskboxError("VALIDATION", `The webhook with the secret in ${path} ${problem}; fix its first line.`);
    }
    return target;
  });
}

function readSecret(path: string): string {
  try {
    const [line = ""] = readFileSync(path, "utf8").split(/\r?\n/);
    if (line.trim() !== "") return line.trim();
  } catch (cause) {
    throw new AskboxError("VALIDATION", `The secret of a webhook cannot be read from ${path}; make the file readable or fix webhooks.`, {
      cause,
    });
  }
  throw new AskboxError("VALIDATION", `The file ${path} contains no secret for a webhook; write one on its first line.`);
}
