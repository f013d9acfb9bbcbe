import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { aScreen } from "./support/screen.ts";

async function opened(columns = 80, rows = 24) {
  const screen = await aScreen();
  const { app, frame, settle, broker, ask } = screen;
  const copied: string[] = [];
  app.options.host.copy = async (text) => {
    copied.push(text);
    return "terminal";
  };
  await broker.grants.add({
    id: "g1",
    scope: "project",
    client: "test-client",
    project: "/home/ada/engine",
    kind: "command",
    shown: "npm\u202etest",
    match: { type: "prefix", prefix: "npm \u202erun" },
    by: { surface: "web" },
    createdAt: 0,
    expiresAt: screen.clock.now() + 3_600_000,
  });
  const second = await ask("second matter");
  await settle();
  const shown = () => frame.at({ columns, rows, plain: false }).lines.map((row) => stripVTControlCharacters(row));
  const press = async (...keys: string[]) => {
    for (const name of keys) {
      shown();
      app.handleKey({ name, ...([...name].length === 1 ? { text: name } : {}) });
      await settle();
    }
  };
  await press(...(app.ui.focus === "form" ? ["escape", "escape"] : []), "ctrl+k");
  return { ...screen, second: second.session.id, copied, shown, press };
}

test.each([
  [80, 24],
  [40, 12],
])("the palette shows commands for what is there, at %d × %d", async (columns, rows) => {
  const { shown, press, app } = await opened(columns, rows);
  expect(shown()).toHaveLength(rows);
  expect(shown()[0]).toMatch(/^Go to or do:\s*$/);
  expect(shown()[1]).toMatch(/^› Snooze this question: until shortly b/);
  expect(shown().at(-1)).toContain("enter do it  ↑↓ choose");
  expect(shown().at(-1)).toContain("esc close");
  for (const row of shown()) expect(row.length).toBeLessThanOrEqual(columns);
  await press(...Array.from({ length: 100 }, () => "down"));
  expect(shown().find((row) => row.startsWith("›"))).toMatch(/^› Revoke: any command that begins/);
  await press("escape");
  expect(app.ui).toMatchObject({ overlay: undefined, editing: undefined, focus: "list" });
});

test("it goes to questions and views", async () => {
  const { press, app, second, shown } = await opened();
  await press(..."matter sec", "enter");
  expect(app.ui).toMatchObject({ open: second, focus: "form", overlay: undefined });
  await press("alt+:", ..."hist", "enter");
  expect(app.ui).toMatchObject({ view: "history", focus: "list" });
  await press("ctrl+k", ..."agent: ", "enter");
  expect(app.ui.overlay).toEqual({ kind: "agents" });
  await press("escape", "ctrl+k", ..."shortcuts", "enter");
  expect(shown().join("\n")).toContain("Keyboard shortcuts");
  await press("escape", "ctrl+k", ..."inbox", "enter");
  expect(app.ui.view).toBe("inbox");
});

test("it filters, groups and searches the list", async () => {
  const { press, app } = await opened();
  await press(..."only engine", "enter");
  expect(app.ui.narrowing).toEqual({ project: expect.stringContaining("engine") });
  await press("ctrl+k", ..."show all", "enter");
  expect(app.ui.narrowing).toEqual({});
  await press("ctrl+k", ..."group by agent", "enter");
  expect(app.ui.grouping).toBe("agent");
  await press("ctrl+k", ..."second", "up", "down", "down", "enter");
  expect(app.ui.filter).toBe("second");
  expect(app.entries()).toHaveLength(1);
});

test("it snoozes, copies and revokes", async () => {
  const { press, app, copied, broker, id, second, shown, desk } = await opened();
  await press(..."session id", "enter");
  expect(copied).toEqual([app.ui.selected]);
  await press("ctrl+k", ..."snooze", "enter");
  const snoozed = await Promise.all([id, second].map(async (each) => (await desk.get(each)).snoozedUntil !== undefined));
  expect(snoozed).toContain(true);
  await press("ctrl+k", ..."revoke npm");
  expect(shown()[1]).toContain("Revoke: any command that begins with npm ⟨U+202E⟩run");
  await press("enter");
  expect(await broker.grants.list()).toEqual([]);
});

test("a colon within words opens no palette", async () => {
  const { press, app } = await opened();
  await press("escape");
  app.look.typing.typed();
  await press(":");
  expect(app.ui.overlay).toBeUndefined();
});
