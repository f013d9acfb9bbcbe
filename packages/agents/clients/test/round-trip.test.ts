import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { clientNames } from "@askbox/core/clients";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { clientNamed } from "../src/clients/index.ts";
import { valueAt } from "../src/json.ts";
import { type InstallFlags, openMachine } from "./support/machine.ts";
import { commented, fileOf, languageOf, later, samples } from "./support/samples.ts";

const everything = { skill: true } as const;

describe.each(clientNames)("%s", (client) => {
  // promise: uninstall-to-the-byte
  test.each(samples)("adds its entry to a file %s, and removes it byte for byte", (_, sample) => {
    const machine = openMachine();
    const file = fileOf(machine, client);
    const text = sample(client);
    machine.write(file, text);
    const before = machine.files();
    machine.install(client, everything);
    expect(
      valueAt(machine.system.settings(machine.path(file)), clientNamed(client).entryAt(machine.system, machine.path(file))),
    ).toBeDefined();
    machine.uninstall(client);
    expect(machine.files()).toEqual(before);
    expect(readFileSync(machine.path(file))).toEqual(Buffer.from(text));
  });

  test("leaves no file or folder behind if there was none", () => {
    const machine = openMachine();
    machine.install(client, everything);
    machine.uninstall(client);
    expect(machine.files()).toEqual({});
    expect(readdirSync(machine.path("home"))).toEqual([]);
  });

  test("preserves every other line of the file", () => {
    const machine = openMachine();
    const file = fileOf(machine, client);
    machine.write(file, commented(client));
    machine.install(client);
    const now = machine.read(file);
    for (const line of commented(client).split("\n")) if (!line.includes('other":')) expect(now).toContain(line.replace(/,$/, ""));
    expect(now).toContain("not ours");
  });

  test("changes nothing when it runs a second time", () => {
    const machine = openMachine();
    machine.write(fileOf(machine, client), commented(client));
    machine.install(client, everything);
    const once = machine.files();
    expect(machine.install(client, everything).map(({ action }) => action)).not.toContain("change");
    expect(machine.files()).toEqual(once);
    machine.uninstall(client);
    expect(machine.read(fileOf(machine, client))).toBe(commented(client));
  });

  test("only removes what is askbox's if a person has edited the file since", () => {
    const machine = openMachine();
    const file = fileOf(machine, client);
    machine.write(file, commented(client));
    machine.install(client, everything);
    const added = later(client);
    machine.write(file, machine.read(file) + added);
    machine.uninstall(client);
    const left = machine.read(file);
    expect(left).not.toContain("askbox");
    expect(left).toContain("later");
    expect(left.replace(added, "").trim()).toBe(commented(client).trim());
  });

  test.each(["", "\n", "\r\n"])("leaves the end %j of a file as it was if a person has edited above since", (end) => {
    const machine = openMachine();
    const file = fileOf(machine, client);
    machine.write(file, commented(client) + end);
    machine.install(client, everything);
    machine.write(file, machine.read(file).replace("dark", "light"));
    machine.uninstall(client);
    expect(machine.read(file)).toBe(commented(client).replace("dark", "light") + end);
  });

  test("removes an entry that somebody wrote by hand", () => {
    const machine = openMachine();
    const file = fileOf(machine, client);
    machine.install(client);
    const text = machine.read(file);
    const other = openMachine();
    other.write(file, text);
    other.uninstall(client);
    // What else was allowed for it is left, since nobody noted whose that is.
    expect(other.read(file)).not.toMatch(/"askbox"|\.askbox|askbox:/);
  });

  test.each([
    ["cut off", { json: '{\n  "a": {', toml: 'a = 1\nb = "', yaml: 'a: 1\nb: "' }[languageOf(client)], 2],
    ["with a mistake", { json: '{\n  "a" 1\n}', toml: "a = 1\n= 2\n", yaml: "a: 1\n} b\n" }[languageOf(client)], 2],
  ])("rejects a file that is %s, and names the line", (_, text, line) => {
    const machine = openMachine();
    const file = fileOf(machine, client);
    machine.write(file, text);
    const before = machine.files();
    expect(() => machine.install(client, everything)).toThrow(
      new RegExp(
        `${file.split("/").at(-1)?.replace(".", "\\.")} is not valid (JSON|TOML|YAML): line ${line}, column \\d+: .+ nothing was changed\\.$`,
      ),
    );
    expect(machine.files()).toEqual(before);
  });

  test("rejects a file that is not text, or has something else in place of settings", () => {
    const machine = openMachine();
    const file = fileOf(machine, client);
    machine.write(file, Buffer.from([0xff, 0xfe, 0x00, 0xd8]));
    expect(() => machine.install(client)).toThrow(/is not UTF-8 text/);
    const [list = ""] = clientNamed(client).entryAt(machine.system, machine.path(file));
    machine.write(file, languageOf(client) === "toml" ? `${list} = 3\n` : `{"${list}": 3}`);
    expect(() => machine.install(client)).toThrow(/cannot be changed: .* does not contain settings/);
  });
});

describe("of the two files that OpenCode merges", () => {
  const [json, jsonc] = ["home/.config/opencode/opencode.json", "home/.config/opencode/opencode.jsonc"] as const;
  const gone = { mcp: { askbox: { type: "local", command: ["/gone/askbox", "mcp"], enabled: false } } };

  test("the one whose entry counts gets askbox's, and has its own again afterwards", () => {
    const machine = openMachine();
    machine.write(json, "{}\n");
    machine.write(jsonc, `// by hand\n${JSON.stringify(gone)}\n`);
    const before = machine.files();
    machine.install("opencode");
    expect(machine.read(json)).toBe("{}\n");
    expect(machine.read(jsonc)).not.toContain("/gone/askbox");
    expect(valueAt(machine.system.settings(machine.path(jsonc)), ["mcp", "askbox", "enabled"])).toBe(true);
    machine.uninstall("opencode");
    expect(machine.files()).toEqual(before);
  });

  test("askbox's entry moves to the one that somebody has added an entry to since", () => {
    const machine = openMachine();
    machine.write(json, "{}\n");
    machine.install("opencode");
    machine.write(jsonc, JSON.stringify(gone));
    machine.install("opencode");
    expect(machine.read(json)).toBe("{}\n");
    expect(machine.read(jsonc)).not.toContain("/gone/askbox");
    machine.write(jsonc, JSON.stringify({ theme: "dark" }));
    machine.install("opencode");
    expect(machine.read(json)).toContain("/opt/askbox");
    machine.uninstall("opencode");
    expect(machine.files()).toEqual({ [json]: "{}\n", [jsonc]: JSON.stringify({ theme: "dark" }) });
  });
});

describe("a file of settings", () => {
  test.each(["", "\n"])("that people write words in keeps its end %j if a person has edited above since", (end) => {
    const machine = openMachine();
    const file = "home/.codex/AGENTS.md";
    machine.write(file, `Be dark.${end}`);
    machine.install("codex", { prefer: true });
    machine.write(file, machine.read(file).replace("dark", "light"));
    machine.uninstall("codex");
    expect(machine.read(file)).toBe(`Be light.${end}`);
  });

  test("keeps a line end that a person has added to it, with the entry gone or with more below", () => {
    const machine = openMachine();
    const file = fileOf(machine, "codex");
    machine.write(file, "a = 1");
    machine.install("codex");
    machine.write(file, "a = 2\n");
    machine.uninstall("codex");
    expect(machine.read(file)).toBe("a = 2\n");
    machine.write(file, "a = 1");
    machine.install("codex");
    machine.write(file, `${machine.read(file)}\n[later]\nb = 2\n`);
    machine.uninstall("codex");
    expect(machine.read(file)).toBe("a = 1\n\n[later]\nb = 2\n");
  });

  test("is written through its symbolic link, and keeps its mode", () => {
    const machine = openMachine();
    const target = machine.write("home/dotfiles/claude.json", "{}\n", 0o640);
    symlinkSync(target, machine.path("home/.claude.json"));
    machine.install("claude-code");
    expect(lstatSync(machine.path("home/.claude.json")).isSymbolicLink()).toBe(true);
    expect(statSync(target).mode & 0o777).toBe(0o640);
    expect(readFileSync(target, "utf8")).toContain("askbox");
    machine.uninstall("claude-code");
    expect(readFileSync(target, "utf8")).toBe("{}\n");
  });

  test("that askbox creates with secrets can only be read by its owner", () => {
    const machine = openMachine();
    machine.install("claude-code");
    expect(statSync(machine.path("home/.claude.json")).mode & 0o777).toBe(0o600);
  });

  test("that another program writes between read and write is left alone", () => {
    const machine = openMachine();
    machine.write("home/.cursor/mcp.json", "{}");
    const steps = machine.plan("cursor");
    machine.write("home/.cursor/mcp.json", '{"mcpServers": {}}');
    expect(() => {
      for (const step of steps) step.carryOut();
    }).toThrow(/was changed by another program just now/);
    expect(machine.read("home/.cursor/mcp.json")).toBe('{"mcpServers": {}}');
  });

  test("that cannot be written is named, and no partial one is left next to it", () => {
    if (process.getuid?.() === 0) return;
    const machine = openMachine();
    machine.write("home/.cursor/mcp.json", "{}");
    chmodSync(machine.path("home/.cursor"), 0o500);
    expect(() => machine.install("cursor")).toThrow(/cannot be written/);
    chmodSync(machine.path("home/.cursor"), 0o700);
    expect(Object.keys(machine.files())).toEqual(["home/.cursor/mcp.json"]);
  });

  test("one malformed file among several leaves all of them unchanged", () => {
    const machine = openMachine();
    machine.write("home/.claude/settings.json", "{,");
    const before = machine.files();
    expect(() => machine.install("claude-code")).toThrow(/settings\.json is not valid JSON: line 1/);
    expect(machine.files()).toEqual(before);
  });

  test("a previous setting is restored", () => {
    const machine = openMachine();
    const own = '{"env": {"CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS": "60000"}, "permissions": {"allow": ["mcp__askbox__ask_user", "Bash"]}}';
    machine.write("home/.claude/settings.json", own);
    machine.install("claude-code");
    machine.write("home/.claude/settings.json", `${machine.read("home/.claude/settings.json")}\n`);
    machine.uninstall("claude-code");
    expect(JSON.parse(machine.read("home/.claude/settings.json"))).toEqual(JSON.parse(own));
  });

  test("what two clients share stays until the second one is removed", () => {
    const machine = openMachine();
    machine.write("project/AGENTS.md", "# Rules\n\nBe kind.");
    const flags: InstallFlags = { scope: "project", skill: true };
    machine.install("zed", flags);
    machine.install("antigravity", { scope: "project", prefer: true });
    machine.install("codex", { scope: "project", prefer: true });
    machine.uninstall("zed", "project");
    machine.uninstall("antigravity", "project");
    expect(machine.read("project/AGENTS.md")).toContain("askbox");
    machine.uninstall("codex", "project");
    expect(machine.files()).toEqual({ "project/AGENTS.md": "# Rules\n\nBe kind." });
  });

  test("is copied unchanged next to the ledger, for its owner only and as long as askbox is set up", () => {
    const machine = openMachine();
    machine.write("home/.codex/config.toml", commented("codex"));
    machine.install("codex");
    const copies = readdirSync(machine.path("data/client-backups"));
    expect(copies.map((copy) => readFileSync(machine.path("data/client-backups", copy), "utf8"))).toEqual([commented("codex")]);
    expect(readFileSync(machine.path("data/clients.json"), "utf8")).toContain(machine.path("home/.codex/config.toml"));
    const notes = [machine.path("data/clients.json"), ...copies.map((copy) => machine.path("data/client-backups", copy))];
    for (const note of notes) expect(statSync(note).mode & 0o077).toBe(0);
    machine.uninstall("codex");
    expect(existsSync(machine.path("data/client-backups")) ? readdirSync(machine.path("data/client-backups")) : []).toEqual([]);
  });

  test("a lost ledger makes the removal less exact, but not impossible", () => {
    const machine = openMachine();
    machine.write("home/.codex/config.toml", commented("codex"));
    machine.install("codex");
    writeFileSync(machine.path("data/clients.json"), "{");
    machine.uninstall("codex");
    expect(machine.read("home/.codex/config.toml").trim()).toBe(commented("codex"));
  });

  test("options that are omitted the next time are removed", () => {
    const machine = openMachine();
    machine.write("home/.claude/CLAUDE.md", "Be kind.\n");
    machine.install("claude-code", { prefer: true, hookCommand: "askbox hook claude-code", skill: true });
    expect(machine.read("home/.claude/CLAUDE.md")).toContain("ask_user");
    machine.install("claude-code");
    expect(machine.read("home/.claude/CLAUDE.md")).toBe("Be kind.\n");
    const settings = JSON.parse(machine.read("home/.claude/settings.json"));
    expect(settings).not.toHaveProperty("hooks");
    expect(Object.keys(machine.files())).not.toContain("home/.claude/skills/askbox/SKILL.md");
  });

  test("a folder in place of the file is reported", () => {
    const machine = openMachine();
    mkdirSync(machine.path("home/.cursor/mcp.json"), { recursive: true });
    expect(() => machine.install("cursor")).toThrow(/cannot be read/);
  });

  test("survives any JSON around the entry", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom("", "\t", 2, 4), (held, indent) => {
        const machine = openMachine();
        const { mcpServers: _, ...rest } = held;
        const text = JSON.stringify({ ...rest, mcpServers: { other: { command: "x" } } }, undefined, indent);
        machine.write("home/.cursor/mcp.json", text);
        machine.install("cursor");
        const installed = JSON.parse(machine.read("home/.cursor/mcp.json"));
        expect(installed.mcpServers.askbox).toBeDefined();
        machine.write("home/.cursor/mcp.json", ` ${machine.read("home/.cursor/mcp.json")}`);
        machine.uninstall("cursor");
        expect(JSON.parse(machine.read("home/.cursor/mcp.json"))).toEqual(JSON.parse(text));
      }),
      { numRuns: 50 },
    );
  });
});

describe("what somebody writes into a file while askbox is in it", () => {
  const trusted = '\n[projects."/p"]\ntrust_level = "trusted"\n';
  test.each([
    ["codex", "a = 1\n", "# mine\n", "a = 1\n# mine\n"],
    ["codex", "a = 1", "# mine\n", "a = 1\n# mine\n"],
    ["codex", "a = 1\n\n", trusted, `a = 1\n\n${trusted}`],
    ["codex", "a = 1\r\n", "# mine\r\n", "a = 1\r\n# mine\r\n"],
    ["codex", undefined, "# mine\n", "# mine\n"],
    ["claude-code", undefined, "// mine\n", "{}\n// mine\n"],
  ] as const)("stays as it is: %s, %j with %j", (client, held, more, left) => {
    const machine = openMachine();
    const file = fileOf(machine, client);
    if (held !== undefined) machine.write(file, held);
    machine.install(client);
    machine.write(file, machine.read(file) + more);
    machine.uninstall(client);
    expect(machine.read(file)).toBe(left);
  });

  test("leaves no line break behind in a file that had none at its end", () => {
    const machine = openMachine();
    const file = fileOf(machine, "codex");
    machine.write(file, "a = 1");
    machine.install("codex");
    machine.write(file, `${machine.read(file)}\n`);
    machine.uninstall("codex");
    expect(machine.read(file)).toBe("a = 1");
  });
});

describe("what an earlier install has added", () => {
  const approvals = "/usr/bin/askbox hook opencode";
  const own = '{\n  "theme": "mine"\n}';

  test("goes with the settings that were made for it, whichever is removed first", () => {
    const machine = openMachine();
    const file = fileOf(machine, "opencode");
    machine.write(file, own);
    machine.install("opencode", { approvals });
    machine.install("opencode");
    expect(JSON.parse(machine.read(file))).not.toHaveProperty("permission");
    machine.install("opencode", { approvals });
    // A rule of the person's own takes the place of one of askbox's.
    const kept = JSON.parse(machine.read(file));
    machine.write(file, JSON.stringify({ ...kept, tools: { bash: true } }, undefined, 2));
    machine.install("opencode", { approvals });
    machine.uninstall("opencode");
    expect(JSON.parse(machine.read(file))).toEqual({ theme: "mine", tools: { bash: true } });
  });

  test("is not written into a read-only file", () => {
    const machine = openMachine();
    const file = machine.write(fileOf(machine, "opencode"), own, 0o444);
    expect(() => machine.install("opencode")).toThrow(/is read-only; make it writable/);
    expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual([own, 0o444]);
  });

  test.skipIf(process.platform === "win32")("is not written into another owner's file", () => {
    const machine = openMachine();
    const file = machine.write(fileOf(machine, "opencode"), own);
    const { uid } = statSync(file);
    const me = vi.spyOn(process, "getuid").mockReturnValue(uid + 1);
    onTestFinished(() => me.mockRestore());
    expect(() => machine.install("opencode")).toThrow(/belongs to another user; run this as its owner/);
    expect(readFileSync(file, "utf8")).toBe(own);
  });
});
