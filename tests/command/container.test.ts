import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Home, openHome } from "./support/home.ts";

const root = join(import.meta.dirname, "../..");
const file = readFileSync(join(root, "Containerfile"), "utf8");
/** The words after an instruction in exec form, a JSON array. */
const wordsOf = (instruction: RegExp): string[] => JSON.parse(new RegExp(`${instruction.source} (\\[.+\\])$`, "m").exec(file)?.[1] ?? "[]");

let home: Home;
beforeEach(async () => {
  home = await openHome();
});
afterEach(() => home.close());

test("the container's command serves on its port, and its health check passes until it exits", async () => {
  const [command, ...start] = [...wordsOf(/^ENTRYPOINT/), ...wordsOf(/^CMD/)];
  expect(command).toBe("askbox");
  expect(start.slice(1)).toEqual(["--host", "0.0.0.0", "--port", /^EXPOSE (\d+)$/m.exec(file)?.[1]]);
  // Here it stays on loopback, on a free port.
  const hub = home.start(["hub", "--host", "127.0.0.1", "--port", "0"], { env: { ASKBOX_HOSTS: "askbox.example.com" } });
  const [, port = ""] = await hub.says(/at http:\/\/127\.0\.0\.1:(\d+) /);
  const [, flag = "", script = ""] = wordsOf(/^ +CMD/);
  const check = () => spawnSync(process.execPath, [flag, script.replace("4141", port)], { timeout: 60_000 }).status;
  expect(check()).toBe(0);
  hub.child.kill("SIGTERM");
  expect((await hub.done).code).toBe(0);
  expect(check()).toBe(1);
});
