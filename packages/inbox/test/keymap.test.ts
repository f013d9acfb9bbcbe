import { describe, expect, test } from "vitest";
import { documentActions, type KeyActionName, keymapWith, terminalActions, webActions } from "../src/commands/index.ts";

const keyActionNames = Object.keys({ ...terminalActions, ...webActions }) as KeyActionName[];

describe("the keymap of both inboxes", () => {
  test.each([
    ["terminal", terminalActions],
    ["web", webActions],
  ])("uses no character for two actions (%s)", (_surface, actions) => {
    const { keymap } = keymapWith(actions);
    const characters = keyActionNames.flatMap((action) => keymap.keysOf(action)).filter((key) => [...key].length === 1);
    expect(characters.length).toBeGreaterThan(15);
    expect(new Set(characters).size).toBe(characters.length);
  });

  test("has keys of its own in a document, none for two actions", () => {
    const keys = Object.values(documentActions).flatMap((action) => action.keys);
    expect(keys).toEqual(expect.arrayContaining(["j", "k", "c", "n", "p", "v"]));
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("uses characters with the same meaning on both surfaces", () => {
    const [terminal, web] = [keymapWith(terminalActions).keymap, keymapWith(webActions).keymap];
    for (const action of keyActionNames.filter((name) => web.keysOf(name).length > 0 && terminal.keysOf(name).length > 0)) {
      expect(terminal.keysOf(action)).toEqual(expect.arrayContaining([...web.keysOf(action)]));
    }
  });

  test("leaves the browser the keys its controls need", () => {
    const { keymap } = keymapWith(webActions);
    const keys = keyActionNames.flatMap((action) => keymap.keysOf(action));
    expect(keys).toEqual(expect.arrayContaining(["enter", "ctrl+enter", "escape", "alt+r"]));
    for (const key of ["tab", "space", "up", "right", "ctrl+x"]) expect(keys).not.toContain(key);
  });

  test("reserves digits for options, and x for selecting", () => {
    for (const { keymap } of [keymapWith(terminalActions), keymapWith(webActions)]) {
      for (const key of [..."0123456789"]) expect(keymap.find(key, keyActionNames)).toBeUndefined();
      expect(keymap.find("x", keyActionNames)).toBe("select");
    }
  });

  test("treats Alt with a letter like the letter", () => {
    const { keymap } = keymapWith(terminalActions);
    const withAlt = keyActionNames.flatMap((action) =>
      keymap.keysOf(action).flatMap((key) => (/^alt\+.$/.test(key) ? [[action, key.slice(4)]] : [])),
    );
    expect(withAlt.length).toBeGreaterThan(5);
    for (const [action = "", letter = ""] of withAlt) expect(keymap.find(letter, keyActionNames)).toBe(action);
  });

  test("lists each action of a surface in one group of the help", () => {
    const { keymap } = keymapWith(terminalActions);
    const listed = (["list", "question", "text", "set", "everywhere"] as const).flatMap((place) => keymap.actionsIn(place));
    expect([...listed].sort()).toEqual(keyActionNames.filter((name) => keymap.keysOf(name).length > 0).sort());
    const web = keymapWith(webActions).keymap;
    expect(web.actionsIn("list")).toEqual(expect.arrayContaining(["select", "snooze"]));
    expect(keymapWith(webActions).keymap.actionsIn("text")).toEqual([]);
  });
});

describe("a user's own keys", () => {
  test("replace the defaults, in any spelling", () => {
    const { keymap, warnings } = keymapWith(terminalActions, { help: "C-p", quit: ["Ctrl+Q", "alt-q"] });
    expect(warnings).toEqual([]);
    expect(keymap.is("ctrl+p", "help")).toBe(true);
    expect(keymap.is("?", "help")).toBe(false);
    expect(keymap.keysOf("quit")).toEqual(["ctrl+q", "alt+q"]);
  });

  test("are reported if there is no such action", () => {
    expect(keymapWith(terminalActions, { dance: "d" }).warnings[0]).toContain("keys.dance is not an action");
    expect(keymapWith(terminalActions, { constructor: "d" }).warnings[0]).toContain("keys.constructor is not an action");
    expect(keymapWith(webActions, { suspend: "d" }).warnings[0]).toContain("keys.suspend is not an action");
  });
});
