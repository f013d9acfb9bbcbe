import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { connectHub } from "@askbox/home";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Home, openHome } from "./support/home.ts";

let home: Home;
beforeEach(async () => {
  home = await openHome();
});
afterEach(() => home.close());

test("the demo prints short lines to copy, and running them gives the agent its answer; its end says how to go on", async () => {
  const demo = home.start(["demo"]);
  const [, begin = ""] = await demo.says(/^ {2}(alias demo=.*)$/m);
  const [, line = ""] = await demo.says(/^ {2}(demo answer .*)$/m);
  // The link is printed before the command line, and logs a browser in.
  const [, link = ""] = await demo.says(/^ {2}(http:\S+#login=[\w-]{22})$/m);
  const code = new URLSearchParams(new URL(link).hash.slice(1)).get("login");
  expect((await fetch(new URL("/auth/login", link), { method: "POST", body: JSON.stringify({ code, device: "Test" }) })).status).toBe(200);
  expect(await home.shell(`${begin}\n${line}`)).toMatchObject({ code: 0, stderr: "" });
  const { code: exitCode, stdout } = await demo.done;
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/To set up your own agents:\n\n {2}.+ setup\n$/);
  const [, received = ""] = /the agent received:\s*(\{.*\})/s.exec(stdout) ?? [];
  expect(JSON.parse(received)).toMatchObject({
    answered: true,
    cancelled: false,
    timedOut: false,
    answers: [
      { questionId: "name", values: ["SettingsPage"] },
      { questionId: "style", values: ["Tailwind"] },
      { questionId: "features", values: ["Search", "Dark mode"] },
      { questionId: "replace", values: ["no"] },
    ],
  });
  expect(existsSync(demoHome(begin))).toBe(false);
});

test.each(["SIGINT", "SIGTERM"] as const)("%s ends the demo with everything it started", async (signal) => {
  const demo = home.start(["demo"]);
  const [, line = ""] = await demo.says(/^ {2}(alias demo=.*)$/m);
  const person = await connectHub({
    role: "desk",
    surface: "terminal",
    agent: { name: "test", version: "1" },
    env: { ASKBOX_HOME: demoHome(line) },
  });
  await person.desk.watch({}, () => {});
  const lost: unknown[] = [];
  person.onState((state) => lost.push([state, person.failure()?.details]));
  const started = descendants(demo.child.pid ?? 0);
  expect(started).not.toHaveLength(0);
  demo.child.kill(signal);
  const { code, stdout } = await demo.done;
  expect(code).toBe(3);
  expect(stdout).toMatch(/Stopped, .*\n\nTo set up your own agents:\n\n {2}.+ setup\n$/);
  await expect.poll(() => lost[0]).toEqual(["lost", { bye: "ended" }]);
  person.close();
  expect(started.filter(isAlive)).toEqual([]);
  expect(existsSync(demoHome(line))).toBe(false);
});

const demoHome = (line: string) => /ASKBOX_HOME=(\S+)/.exec(line)?.[1] ?? "";

function descendants(pid: number): number[] {
  const parents = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((row) => row.trim().split(/\s+/).map(Number));
  const children = parents.filter(([, parent]) => parent === pid).map(([child = 0]) => child);
  return children.flatMap((child) => [child, ...descendants(child)]);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
