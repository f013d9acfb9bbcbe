import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clientNamed, openLedger, planInstall, stdioReach, systemOf } from "@askbox/clients";
import type { ClientName } from "@askbox/core/clients";
import { homeFiles, homeFolders } from "@askbox/home";
import { expect, onTestFinished, test } from "vitest";
import type { PreparedInstall } from "../src/client/prepare-install.ts";
import { type Candidate, installChosen } from "../src/setup/candidates.ts";

function openMachine() {
  const root = mkdtempSync(join(tmpdir(), "askbox-setup-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const files = homeFiles(homeFolders({ env: { ASKBOX_HOME: join(root, "data") } }));
  const system = systemOf({ env: { HOME: root, PATH: "" }, project: root });
  const candidate = (client: ClientName): Candidate => {
    const known = clientNamed(client);
    const reach = stdioReach({ launch: ["/opt/askbox"], tools: known.tools, env: {}, cwd: "/" });
    const setup = { scope: "user", system, reach, tools: known.tools, prefer: true, exclusive: false } as const;
    const ledger = openLedger(files);
    const plan = planInstall({ ledger, client, setup });
    const prepared: PreparedInstall = { ledger, setup, plan, token: undefined, modeNotes: [], replaced: [] };
    return { client, title: known.title, state: "new", prepared };
  };
  return { root, files, candidate };
}

test("a client whose second file can't be written gets none, and the next one is set up", () => {
  const { root, files, candidate } = openMachine();
  writeFileSync(join(root, ".claude.json"), '{ "theme": "dark" }');
  mkdirSync(join(root, ".codex"));
  const candidates = [candidate("claude-code"), candidate("codex")];
  const failing = () => {
    const ledger = openLedger(files);
    const set = ledger.set.bind(ledger);
    ledger.set = (path, record) => {
      if (path.endsWith("CLAUDE.md") && record !== undefined) throw new Error("The disk is full.");
      set(path, record);
    };
    return ledger;
  };
  const installed = installChosen(candidates, new Set(["claude-code", "codex"]), failing);
  expect(installed).toMatchObject([
    { client: "claude-code", state: "failed", problem: "The disk is full." },
    { client: "codex", state: "installed", files: [{ path: "~/.codex/config.toml", action: "create" }, { path: "~/.codex/AGENTS.md" }] },
  ]);
  expect(readFileSync(join(root, ".claude.json"), "utf8")).toBe('{ "theme": "dark" }');
  expect(existsSync(join(root, ".claude"))).toBe(false);
  expect(openLedger(files).pathsOf("claude-code user")).toEqual([]);
});

test("two clients leave the records of both", () => {
  const { files, candidate } = openMachine();
  installChosen([candidate("claude-code"), candidate("codex")], new Set(["claude-code", "codex"]), () => openLedger(files));
  for (const owner of ["claude-code user", "codex user"]) expect(openLedger(files).pathsOf(owner).length).toBeGreaterThan(1);
});
