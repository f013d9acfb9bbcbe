import { createBroker, memoryStore } from "@askbox/core";
import { anAsk, anAsker, testPlatform } from "@askbox/core/testing";
import { createAskbox } from "@askbox/react";
import { keymapWith, terminalActions } from "@askbox/react/keymap";
import { expect, test } from "vitest";
import { App } from "../src/app/app.ts";
import { createPainter } from "../src/theme/painter.ts";
import { themeWith } from "../src/theme/theme.ts";
import { ShownFrame } from "../src/ui/shown-frame.ts";

const size = { columns: 120, rows: 20, plain: false };

async function aScreen() {
  const platform = testPlatform();
  const { clock } = platform;
  const broker = await createBroker({ ...platform, store: memoryStore() });
  const asker = broker.asker("owner");
  const ask = (title: string) => asker.ask(anAsk({ title }), { asker: anAsker({ agentId: title }), maxWait: 0 });
  await ask("first matter");
  const askbox = createAskbox({ desk: broker.desk({ surface: "terminal" }), clock });
  const host = { exit() {}, copy: async () => "failed" as const, edit: async () => ({}), suspend() {}, redraw() {}, notify() {} };
  const app = new App({ ...askbox, grants: broker.grants, keymap: keymapWith(terminalActions).keymap, host });
  const frame = new ShownFrame(app, createPainter(themeWith({}).theme, "none"));
  askbox.inbox.start();
  // All work of the broker, the inbox and the app is done in microtasks.
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  await settle();
  return { app, frame, ask, clock, settle };
}

test("an invisible change keeps the frame the same object", async () => {
  const { app, frame } = await aScreen();
  const before = frame.at(size);
  const version = app.getVersion();
  app.step(() => {});
  expect(app.getVersion()).not.toBe(version);
  expect(frame.at(size)).toBe(before);
});

test("a new question, another size and the passing of time change it", async () => {
  const { frame, ask, clock, settle } = await aScreen();
  const before = frame.at(size);
  expect(before.lines).toHaveLength(size.rows);
  expect(before.lines.join("\n")).toContain("first matter");

  await ask("second matter");
  await settle();
  const after = frame.at(size);
  expect(after).not.toBe(before);
  expect(after.lines.join("\n")).toContain("second matter");

  expect(frame.at({ ...size, columns: 60 })).not.toBe(after);
  const narrow = frame.at({ ...size, columns: 60 });
  await clock.advance(30_000);
  frame.touch();
  expect(frame.at({ ...size, columns: 60 })).not.toBe(narrow);
});

test("listeners are notified of the app's changes and of touches", async () => {
  const { app, frame, settle } = await aScreen();
  let told = 0;
  const stop = frame.subscribe(() => {
    told += 1;
  });
  frame.touch();
  expect(told).toBe(1);
  app.say("Something.");
  await settle();
  expect(told).toBe(2);
  stop();
  frame.touch();
  expect(told).toBe(2);
});
