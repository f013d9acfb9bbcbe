import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeClock } from "@askbox/core/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { BackgroundRuns } from "../src/waking/background.ts";

let home: string;
let folder: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "askbox-wakes-"));
  folder = join(home, "wakes");
});
afterEach(() => rmSync(home, { recursive: true }));

const clock = fakeClock({ now: Date.now() });
const start = (env: NodeJS.ProcessEnv = {}) => new BackgroundRuns({ folder, env, log: () => {}, clock });
/** An output of an earlier hub's run, which was last written that long ago. */
function left(name: string, text: string, ago = 0): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.log`);
  writeFileSync(path, text);
  const at = (clock.now() - ago) / 1_000;
  utimesSync(path, at, at);
  return path;
}
const sizeOf = (path: string) => statSync(path).size;
const megabytes = (count: number) => "x".repeat(1_048_576 * count);

test("what a resumed agent prints is kept, and its end is read", async () => {
  const runs = start();
  const how = { name: "s1", cwd: home };
  const script = "process.stdin.on('data', (text) => { console.log('x'.repeat(9000) + text); process.exitCode = 3; })";
  expect(await runs.run({ argv: [process.execPath, "-e", script], input: "Go on." }, how)).toBe(
    `${process.execPath} ended with 3: ${"x".repeat(299)}…`,
  );
  expect(sizeOf(join(folder, "s1.log"))).toBeGreaterThan(9_000);
  expect(runs.output("s1")).toMatch(/^x{3990,}Go on\.$/);
  expect(runs.output("s2")).toBeUndefined();
  await expect(runs.run({ argv: [join(home, "none")] }, how)).rejects.toThrow("could not be started");
});

test("a hub cuts what an earlier one has left, and goes on with it for as long as something prints", async () => {
  const path = left("s1", `${megabytes(3)}The end.`);
  const runs = start();
  expect(sizeOf(path)).toBe(4_000);
  expect(runs.output("s1")).toMatch(/^x+The end\.$/);
  appendFileSync(path, `${megabytes(2)}And more.`);
  await clock.advance(5_000);
  expect(sizeOf(path)).toBe(4_000);
  expect(runs.output("s1")).toMatch(/And more\.$/);
});

test("nothing is looked at once nothing has been printed for a day, or if nothing ever was", async () => {
  const before = clock.pendingTimers();
  start();
  left("s1", "Done.", 86_400_001);
  start();
  expect(clock.pendingTimers()).toBe(before);
});

test("a hub keeps the newest 100 outputs, for a week", () => {
  const old = left("old", "Done.", 7 * 86_400_000 + 60_000);
  for (let index = 0; index < 120; index += 1) left(`s${index}`, "Done.", index * 1_000);
  start();
  expect(existsSync(old)).toBe(false);
  expect(readdirSync(folder).toSorted()).toEqual(Array.from({ length: 100 }, (_, index) => `s${index}.log`).toSorted());
});
