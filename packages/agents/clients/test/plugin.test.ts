import { describe, expect, test } from "vitest";
import { clientNamed } from "../src/clients/index.ts";
import { planUninstall } from "../src/install.ts";
import { openMachine } from "./support/machine.ts";

const enabled = [
  ["claude-code", "home/.claude/settings.json", '{ "enabledPlugins": { "askbox@askbox": true } }', "claude plugin uninstall askbox@askbox"],
  ["codex", "home/.codex/config.toml", '[plugins."askbox@askbox"]\nenabled = true\n', "codex plugin remove askbox@askbox"],
  [
    "gemini-cli",
    "home/.gemini/extensions/extension-enablement.json",
    '{ "askbox": { "overrides": ["/home/*"] } }',
    "gemini extensions uninstall askbox",
  ],
  [
    "opencode",
    "home/.config/opencode/opencode.json",
    '{ "plugin": ["other", ["askbox@0.2.0", {}]] }',
    "delete askbox@0.2.0 from its list of plugins",
  ],
] as const;
const disabled = { true: "false", '"/home/*"': '"!/home/*"', "askbox@0.2.0": "askbox-else" };

describe.each(enabled)("askbox's plugin in %s", (client, file, text, remove) => {
  test("is found in the client's settings, and stays there when the entry is removed", () => {
    const machine = openMachine();
    machine.write(file, text);
    expect(clientNamed(client).plugin?.(machine.system)).toMatchObject({
      file: machine.path(file),
      remove: expect.stringContaining(remove),
    });
    machine.install(client);
    const { notes } = planUninstall({ ledger: machine.ledger(), client, system: machine.system, scope: "user" });
    expect(notes.join()).toContain(remove);
    machine.uninstall(client);
    expect(machine.read(file)).toBe(text);
  });

  test("isn't found while it is disabled or absent", () => {
    const machine = openMachine();
    expect(clientNamed(client).plugin?.(machine.system)).toBeUndefined();
    machine.write(
      file,
      Object.entries(disabled).reduce<string>((all, [on, off]) => all.replace(on, off), text),
    );
    expect(clientNamed(client).plugin?.(machine.system)).toBeUndefined();
  });
});
