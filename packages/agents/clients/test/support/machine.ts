import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import type { ClientName } from "@askbox/core/clients";
import { homeFiles, homeFolders } from "@askbox/home";
import { onTestFinished } from "vitest";
import { httpReach, type Scope, type Setup, type System, stdioReach } from "../../src/client.ts";
import { clientNamed } from "../../src/clients/index.ts";
import { type Ledger, openLedger } from "../../src/files/ledger.ts";
import { planInstall, planUninstall } from "../../src/install.ts";
import type { Step } from "../../src/plan.ts";
import { skillTexts } from "../../src/skill.ts";
import { systemOf } from "../../src/status.ts";

export interface InstallFlags
  extends Partial<
    Pick<Setup, "prefer" | "exclusive" | "hookCommand" | "approvals" | "ran" | "overruled" | "wake" | "trusted" | "replace">
  > {
  scope?: Scope;
  http?: boolean;
  skill?: boolean;
}

/** A user's home folder and a project, in a temporary folder. */
export interface Machine {
  root: string;
  system: System;
  ledger(): Ledger;
  path(...parts: string[]): string;
  write(path: string, text: string | Buffer, mode?: number): string;
  read(path: string): string;
  /** Every file except askbox's own, by path. */
  files(): Record<string, string>;
  plan(client: ClientName, flags?: InstallFlags): Step[];
  install(client: ClientName, flags?: InstallFlags): Step[];
  uninstall(client: ClientName, scope?: Scope): Step[];
}

const data = "data";

export function openMachine(): Machine {
  const root = mkdtempSync(join(tmpdir(), "askbox-clients-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const path = (...parts: string[]) => join(root, ...parts);
  mkdirSync(path("home"));
  mkdirSync(path("project"));
  const system: System = { ...systemOf({ env: { HOME: path("home"), PATH: "" }, project: path("project") }), platform: "linux" };
  const ledger = () => openLedger(homeFiles(homeFolders({ env: { ASKBOX_HOME: path(data) } })));
  const plan = (client: ClientName, flags: InstallFlags = {}) => {
    const {
      scope = "user",
      http,
      skill,
      prefer = false,
      exclusive = false,
      hookCommand,
      approvals,
      ran,
      overruled,
      wake,
      trusted,
      replace,
    } = flags;
    const { tools, raisedTo, tokenFromEnvironment } = clientNamed(client);
    const maxWait = raisedTo === undefined ? undefined : raisedTo - 10;
    const reach = http
      ? httpReach({ hub: "http://127.0.0.1:4141", tools, maxWait, token: tokenFromEnvironment ? undefined : "asker-token" })
      : stdioReach({ launch: ["/opt/node/bin/node", "/opt/askbox/bin/askbox.js"], tools, maxWait, env: {}, cwd: "/" });
    const setup: Setup = {
      scope,
      system,
      reach,
      tools,
      prefer,
      exclusive,
      hookCommand,
      approvals,
      ran,
      overruled,
      wake,
      trusted,
      replace,
      skill: skill ? skillTexts(tools) : undefined,
    };
    return planInstall({ ledger: ledger(), client, setup }).steps;
  };
  const carriedOut = (steps: Step[]) => {
    for (const step of steps) step.carryOut();
    return steps;
  };
  return {
    root,
    system,
    ledger,
    path,
    write(name, text, mode) {
      const file = path(name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      if (mode !== undefined) chmodSync(file, mode);
      return file;
    },
    read: (name) => readFileSync(path(name), "utf8"),
    files() {
      const found: Record<string, string> = {};
      for (const name of readdirSync(root, { recursive: true, encoding: "utf8" })) {
        const file = path(name);
        if (name.split("/")[0] === data || !existsSync(file) || !statSync(file).isFile()) continue;
        found[relative(root, file)] = readFileSync(file, "utf8");
      }
      return found;
    },
    plan,
    install: (client, flags) => carriedOut(plan(client, flags)),
    uninstall: (client, scope = "user") => carriedOut(planUninstall({ ledger: ledger(), client, system, scope }).steps),
  };
}
