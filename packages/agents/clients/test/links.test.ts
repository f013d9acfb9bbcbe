import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { openMachine } from "./support/machine.ts";

describe("a link in a project", () => {
  // promise: install-stays-in-its-folders
  test("is not followed out of the project", () => {
    const machine = openMachine();
    const keys = machine.write("home/.ssh/authorized_keys", "ssh-ed25519 AAAA\n");
    mkdirSync(machine.path("project/.claude/skills/askbox"), { recursive: true });
    symlinkSync(keys, machine.path("project/.claude/skills/askbox/SKILL.md"));
    expect(() => machine.install("claude-code", { scope: "project", skill: true })).toThrow(
      `SKILL.md is a link to ${keys}, outside ${machine.path("project")}; replace the link`,
    );
    expect(readFileSync(keys, "utf8")).toBe("ssh-ed25519 AAAA\n");
    expect(() => machine.read("project/.mcp.json")).toThrow("ENOENT");
  });

  // promise: install-stays-in-its-folders
  test("is not followed if the folder is a link, or if it is dangling", () => {
    const machine = openMachine();
    mkdirSync(machine.path("home/secrets"), { recursive: true });
    symlinkSync(machine.path("home/secrets"), machine.path("project/.cursor"));
    symlinkSync(machine.path("home/not-there-yet"), machine.path("project/.mcp.json"));
    expect(() => machine.install("cursor", { scope: "project" })).toThrow(machine.path("home/secrets/mcp.json"));
    expect(() => machine.install("claude-code", { scope: "project" })).toThrow(machine.path("home/not-there-yet"));
  });

  // promise: install-stays-in-its-folders
  test("is not read if it leads to a device or a folder", () => {
    for (const place of ["/dev/zero", "/dev"]) {
      const machine = openMachine();
      symlinkSync(place, machine.path("project/.mcp.json"));
      expect(() => machine.install("claude-code", { scope: "project" })).toThrow(
        ".mcp.json cannot be read, since it is not a file; move it away",
      );
    }
  });

  // promise: install-stays-in-its-folders
  test("is not followed by uninstall if it was created after install", () => {
    const machine = openMachine();
    machine.install("cursor", { scope: "project" });
    const other = machine.write("home/.bashrc", machine.read("project/.cursor/mcp.json"));
    rmSync(machine.path("project/.cursor/mcp.json"));
    symlinkSync(other, machine.path("project/.cursor/mcp.json"));
    expect(() => machine.uninstall("cursor", "project")).toThrow(`is a link to ${other} now`);
  });
});

// promise: foreign-files-refused
test("the ledger is ignored if others could have written it", () => {
  const machine = openMachine();
  machine.install("cursor", { scope: "project" });
  const before = machine.read("project/.cursor/mcp.json");
  chmodSync(machine.path("data"), 0o777);
  expect(() => machine.uninstall("cursor", "project")).toThrow(`askbox does not trust ${machine.path("data")}`);
  expect(machine.read("project/.cursor/mcp.json")).toBe(before);
});

test("a person's own link, as used to keep settings in a repository, is followed and named", () => {
  const machine = openMachine();
  const kept = machine.write("home/dotfiles/claude.json", "{}\n");
  symlinkSync(kept, machine.path("home/.claude.json"));
  const steps = machine.install("claude-code");
  expect(steps.map(({ target }) => target)).toContain(kept);
  expect(machine.read("home/dotfiles/claude.json")).toContain("askbox");
});
