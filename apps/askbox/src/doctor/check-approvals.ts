import { resolve } from "node:path";
import { clients, placeOf } from "@askbox/clients";
import { terminalLine } from "@askbox/terminal-text";
import { type Finding, found, type Surroundings, warn } from "./finding.ts";

/** Clients whose permission requests should come to the inbox, but which decide them by themselves. */
export function checkApprovals({ env }: Pick<Surroundings, "env">): Promise<Finding[]> {
  return found("approvals", () => {
    const place = placeOf({ env, project: resolve(".") });
    return clients.flatMap(({ name, title, mode }) => {
      if (mode === undefined || !mode.hasApprovals(place, "user")) return [];
      const { file, at, value } = mode.read(place, "user");
      if (mode.asks(value)) return [];
      const state =
        value === undefined
          ? `${at} is not set in ${file}, so ${title} starts in its auto mode`
          : `${at} is ${JSON.stringify(value)} in ${file}`;
      return [
        warn(
          "approvals",
          terminalLine(
            `${state}: it decides requests by itself, and those don't come to the inbox. To be asked, run: askbox install ${name} --approvals --ask-first`,
          ),
        ),
      ];
    });
  });
}
