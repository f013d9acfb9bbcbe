import { type Ledger, planInstall, planUninstall } from "@askbox/clients";
import { toAskboxError } from "@askbox/core";
import type { ClientName } from "@askbox/core/clients";
import { terminalLine } from "@askbox/terminal-text";
import { type Candidate, shortPath } from "./candidates.ts";

/** What became of a client. */
export type Installed = { client: ClientName; title: string } & (
  | { state: "installed"; files: { path: string; action: string }[]; notes: string[] }
  | { state: "failed"; problem: string }
);

/**
 * Sets up the chosen clients, without a pause in which the program could be ended between two files. A client whose files can't all be
 * written gets none of them. `openLedger` reads what the client before has added to the records.
 */
export function installChosen(candidates: readonly Candidate[], chosen: ReadonlySet<string>, openLedger: () => Ledger): Installed[] {
  return candidates.flatMap((candidate): Installed[] => {
    if (candidate.state !== "new" || !chosen.has(candidate.client)) return [];
    const { client, title, prepared } = candidate;
    const { setup, modeNotes } = prepared;
    const { system, scope } = setup;
    const ledger = openLedger();
    try {
      // Planned again, since two clients may share a file.
      const { steps, notes } = planInstall({ ledger, client, setup });
      for (const step of steps) step.carryOut();
      const files = steps.filter(({ action }) => action !== "none").map(({ path, action }) => ({ path: shortPath(path, system), action }));
      return [{ client, title, state: "installed", files, notes: [...notes, ...modeNotes] }];
    } catch (thrown) {
      const problems = [thrown];
      try {
        for (const step of planUninstall({ ledger, client, system, scope }).steps) step.carryOut();
      } catch (left) {
        problems.push(left);
      }
      return [{ client, title, state: "failed", problem: problems.map((each) => terminalLine(toAskboxError(each).message)).join(" ") }];
    }
  });
}
