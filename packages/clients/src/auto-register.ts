import type { Log } from "@askbox/core";
import type { ClientName, HomeFiles } from "@askbox/home";
import { entryName, type Place } from "./client.ts";
import { clientNamed, clients } from "./clients/index.ts";
import { openLedger } from "./files/ledger.ts";
import { ownerOf, planInstall, planUninstall } from "./install.ts";
import { valueAt } from "./json.ts";
import { maxWaitOf, stdioReach } from "./reach.ts";

export interface AutoRegisterOptions {
  /** The clients that the config names. */
  names: readonly ClientName[];
  files: Pick<HomeFiles, "clients" | "clientBackups">;
  place: Place;
  /** The program and arguments that start `askbox`. */
  launch: readonly string[];
  log: Log;
}

/**
 * Enters askbox in the settings of the named clients, where it stays, and takes it out of those that are named no more. What a person has set up
 * stays as it is. A client whose file cannot be changed is logged.
 */
export function autoRegister({ names, files, place, launch, log }: AutoRegisterOptions): void {
  const attempt = (name: ClientName, what: string, work: () => void) => {
    try {
      work();
    } catch (error) {
      log("warn", `${clientNamed(name).title} could not be ${what}`, { error: error instanceof Error ? error.message : String(error) });
    }
  };
  const remove = (name: ClientName) =>
    attempt(name, "unregistered", () => {
      const { steps } = planUninstall({ ledger: openLedger(files), client: name, place, scope: "user", by: "hub" });
      for (const step of steps) step.carryOut();
      if (steps.length > 0) log("info", `askbox is no longer entered in ${clientNamed(name).title}'s settings`);
    });

  const owners = openLedger(files).owners();
  for (const { name } of clients) {
    if (!names.includes(name) && owners.includes(ownerOf(name, place, "user", "hub"))) remove(name);
  }
  for (const name of names) {
    attempt(name, "registered", () => {
      const ledger = openLedger(files);
      const client = clientNamed(name);
      const file = client.file(place, "user") ?? "";
      const isOurs = ledger.pathsOf(ownerOf(name, place, "user", "hub")).includes(file);
      const isThere = valueAt(place.settings(file), client.entryAt(place, file)) !== undefined;
      if (isThere && !isOurs) return log("debug", `${client.title} has an entry ${entryName} already; it stays as it is`);
      const tools = client.tools;
      const reach = stdioReach({ launch, tools, maxWait: maxWaitOf(client), env: place.env, cwd: place.project });
      const setup = { scope: "user", place, reach, tools, prefer: false, exclusive: false } as const;
      const { steps } = planInstall({ ledger, client: name, setup, by: "hub" });
      for (const step of steps) step.carryOut();
      log("info", `askbox is entered in ${client.title}'s settings`, { file });
    });
  }
}
