import type { Log } from "@askbox/core";
import type { ClientName } from "@askbox/core/clients";
import type { HomeFiles } from "@askbox/home";
import { entryName, type System } from "./client.ts";
import { clientNamed, clients } from "./clients/index.ts";
import { openLedger } from "./files/ledger.ts";
import { ownerOf, planInstall, planUninstall } from "./install.ts";
import { valueAt } from "./json.ts";
import { maxWaitOf, stdioReach } from "./reach.ts";

export interface AutoRegisterOptions {
  /** The clients listed in the config. */
  names: readonly ClientName[];
  files: Pick<HomeFiles, "clients" | "clientBackups">;
  system: System;
  /** The command line that starts `askbox`. */
  launch: readonly string[];
  log: Log;
}

/**
 * Adds askbox to the settings of the listed clients, and removes it from those that are no longer listed. Entries that a person made are
 * not changed. If a client's file cannot be changed, that is logged.
 */
export function autoRegister({ names, files, system, launch, log }: AutoRegisterOptions): void {
  const attempt = (name: ClientName, what: string, work: () => void) => {
    try {
      work();
    } catch (error) {
      log("warn", `${clientNamed(name).title} could not be ${what}`, { error: error instanceof Error ? error.message : String(error) });
    }
  };
  const remove = (name: ClientName) =>
    attempt(name, "unregistered", () => {
      const { steps } = planUninstall({ ledger: openLedger(files), client: name, system, scope: "user", by: "hub" });
      for (const step of steps) step.carryOut();
      if (steps.length > 0) log("info", `askbox was removed from ${clientNamed(name).title}'s settings`);
    });

  const before = openLedger(files);
  for (const client of clients) {
    const isOurs = before.pathsOf(ownerOf(before, client, { system, scope: "user", by: "hub" })).length > 0;
    if (isOurs && !names.includes(client.name)) remove(client.name);
  }
  for (const name of names) {
    attempt(name, "registered", () => {
      const ledger = openLedger(files);
      const client = clientNamed(name);
      const file = client.file(system, "user") ?? "";
      const isOurs = ledger.pathsOf(ownerOf(ledger, client, { system, scope: "user", by: "hub" })).includes(file);
      const isThere = valueAt(system.settings(file), client.entryAt(system, file)) !== undefined;
      if (isThere && !isOurs) return log("debug", `${client.title} already has an entry ${entryName}; it was not changed`);
      const tools = client.tools;
      const reach = stdioReach({ launch, tools, maxWait: maxWaitOf(client), env: system.env, cwd: system.project });
      const setup = { scope: "user", system, reach, tools, prefer: false, exclusive: false } as const;
      const { steps } = planInstall({ ledger, client: name, setup, by: "hub" });
      for (const step of steps) step.carryOut();
      log("info", `askbox was added to ${client.title}'s settings`, { file });
    });
  }
}
