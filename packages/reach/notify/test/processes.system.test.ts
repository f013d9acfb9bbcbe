import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { fakeProgram } from "./support/fake-program.ts";
import { scene, temporaryFolder } from "./support/scene.ts";

const shown = { interval: 20 };

/** The scene with real processes, and a folder of programs before the system's own. */
async function realScene(options: Parameters<typeof scene>[0] = {}) {
  const folder = temporaryFolder();
  const env = { PATH: `${folder}:/usr/bin:/bin`, DISPLAY: ":0", FOLDER: folder, ...options.env };
  return { folder, ...(await scene({ ...options, env, run: undefined })) };
}

/** The two process ids that a command writes to `pids`; they are killed after the test in any case. */
async function pidsIn(folder: string): Promise<number[]> {
  const file = join(folder, "pids");
  const read = () => (existsSync(file) ? readFileSync(file, "utf8").trim().split(" ").map(Number) : []);
  await expect.poll(read, shown).toHaveLength(2);
  const pids = read();
  onTestFinished(() => {
    for (const pid of pids.filter(isAlive)) process.kill(pid, "SIGKILL");
  });
  return pids;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A killed process remains known until it is reaped.
    return !/^State:\tZ/m.test(existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, "utf8") : "");
  } catch {
    return false;
  }
}

describe("real programs", () => {
  // promise: notification-no-shell
  test("notify-send gets its arguments unchanged, whatever a shell would do with them", async () => {
    const { announce, folder } = await realScene();
    const notifySend = fakeProgram(folder, "notify-send");
    await announce({ title: "$(touch owned); `id` \"quoted\" 'too' * <i>" }, { project: "/srv/my engine" });
    await expect
      .poll(notifySend.runs, shown)
      .toEqual([
        [
          ...["--print-id", "--app-name=askbox", "--icon=dialog-question", "--", "askbox: Claude Code in my engine (main)"],
          "$(touch owned); `id` \"quoted\" 'too' * &lt;i&gt; (4 questions)\nWhat should the new module be called?",
        ],
      ]);
    expect(existsSync("owned")).toBe(false);
  });

  test("xdg-open gets the whole link, and keeps running when the hub closes", async () => {
    const { announce, folder, notify } = await realScene({ mode: "browser" });
    const open = fakeProgram(folder, "xdg-open", `echo $$ >"$FOLDER/pid"; exec sleep 60`);
    await announce();
    await expect.poll(open.runs, shown).toEqual([["http://127.0.0.1:4141/login?once=1&to=inbox"]]);
    await expect.poll(() => existsSync(join(folder, "pid")) && readFileSync(join(folder, "pid"), "utf8"), shown).toMatch(/\d\n/);
    const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
    onTestFinished(() => void process.kill(pid, "SIGKILL"));
    await notify.close();
    expect(isAlive(pid)).toBe(true);
  });

  test("that are missing, or fail with a message of their own, are logged", async () => {
    const { ask, warnings, batchLeaves } = await realScene({ env: { PATH: "/nowhere" } });
    const failing = await realScene();
    fakeProgram(failing.folder, "notify-send", "echo 'nobody shows notifications' >&2; exit 4");
    for (const each of [ask, failing.ask]) await each();
    for (const each of [batchLeaves, failing.batchLeaves]) await each();
    await expect
      .poll(warnings, shown)
      .toEqual(["Notifications cannot be shown, since notify-send cannot be run; `askbox doctor` says how to fix it."]);
    await expect.poll(() => failing.log.map(({ data }) => data), shown).toEqual([{ exitCode: 4, reason: "nobody shows notifications" }]);
  });
});

describe("a real command", () => {
  // promise: command-facts-in-environment
  test("is run by the shell, with details that the shell does not run", async () => {
    const command = `printf '%s|%s' "$ASKBOX_TITLE" "$ASKBOX_COUNT" >"$FOLDER/facts"; cat >"$FOLDER/stdin.new"; mv "$FOLDER/stdin.new" "$FOLDER/stdin"`;
    const { announce, folder } = await realScene({ mode: "command", settings: { command } });
    const id = await announce({ title: "$(touch owned)" });
    await expect.poll(() => existsSync(join(folder, "stdin")), shown).toBe(true);
    expect(readFileSync(join(folder, "facts"), "utf8")).toBe("$(touch owned)|1");
    expect(JSON.parse(readFileSync(join(folder, "stdin"), "utf8"))).toMatchObject({ count: 1, sessions: [{ id }] });
  });

  test("that fails, or does not read its stdin, only leaves a line in the log", async () => {
    const { announce, log } = await realScene({ mode: "command", settings: { command: "exec <&-; exit 7" } });
    await announce();
    await expect.poll(() => log, shown).toEqual([{ level: "warn", message: "The attention command failed.", data: { exitCode: 7 } }]);
  });

  test.each([
    ["it does not want to", `trap '' TERM; sleep 300 & echo $$ $! >"$FOLDER/pids"; wait; wait`],
    ["only what it started does not want to", `(trap '' TERM; exec sleep 300) & echo $$ $! >"$FOLDER/pids"; wait`],
  ])("that takes longer than 30 s is stopped with its children, even if %s", async (_, command) => {
    const { announce, folder, clock, warnings } = await realScene({ mode: "command", settings: { command } });
    await announce();
    const pids = await pidsIn(folder);
    await clock.advance(29_999);
    expect(pids.map(isAlive)).toEqual([true, true]);
    await clock.advance(1_001);
    await expect.poll(() => pids.map(isAlive), shown).toEqual([false, false]);
    await expect.poll(warnings, shown).toEqual(["The attention command did not end within 30 seconds and was stopped."]);
  });

  test("is stopped when the hub closes", async () => {
    const command = `sleep 300 & echo $$ $! >"$FOLDER/pids"; wait`;
    const { announce, folder, notify, warnings } = await realScene({ mode: "command", settings: { command } });
    await announce();
    const pids = await pidsIn(folder);
    await notify.close();
    await expect.poll(() => pids.map(isAlive), shown).toEqual([false, false]);
    expect(warnings()).toEqual([]);
  });
});
