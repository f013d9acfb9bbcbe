import { resolve } from "node:path";
import { clients, systemOf } from "@askbox/clients";
import { terminalLine } from "@askbox/terminal-text";
import { type Finding, found, ok, type Surroundings, warn } from "./finding.ts";

/** Clients whose requests should come to the inbox: what comes, and what they decide by themselves. */
export function checkApprovals({ env }: Pick<Surroundings, "env">): Promise<Finding[]> {
  return found("approvals", () => {
    const system = systemOf({ env, project: resolve(".") });
    return clients.flatMap(({ name, title, mode, hooked }) => {
      const { approvals = false, forms = false } = hooked?.(system, "user") ?? {};
      if (!approvals) return [];
      const findings = [
        forms
          ? ok("approvals", `${title}'s permission requests and the forms of its MCP servers come to the inbox.`)
          : warn(
              "approvals",
              `${title}'s permission requests come to the inbox, but not the forms of its MCP servers. For both, run: askbox install ${name} --approvals`,
            ),
      ];
      if (mode === undefined) return findings;
      const { file, at, value } = mode.read(system, "user");
      if (mode.asks(value)) return findings;
      const state =
        value === undefined
          ? `${at} is not set in ${file}, so ${title} starts in its auto mode`
          : `${at} is ${JSON.stringify(value)} in ${file}`;
      const sentence = `${state}: it decides requests by itself, and those don't come to the inbox. To be asked, run: askbox install ${name} --approvals --ask-first`;
      return [...findings, warn("approvals", terminalLine(sentence))];
    });
  });
}
