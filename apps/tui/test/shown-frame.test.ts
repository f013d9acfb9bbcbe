import { expect, test } from "vitest";
import { aScreen, size } from "./support/screen.ts";

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

test("ages and deadlines are updated each second, until it stops", async () => {
  const { frame, clock } = await aScreen();
  let told = 0;
  frame.subscribe(() => {
    told += 1;
  });
  const stop = frame.keepTime();
  await clock.advance(999);
  expect(told).toBe(0);
  await clock.advance(1);
  expect(told).toBe(1);
  await clock.advance(1_000);
  expect(told).toBe(2);
  stop();
  await clock.advance(10_000);
  expect(told).toBe(2);
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
