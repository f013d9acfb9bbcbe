import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { exited, missing, type SceneOptions, scene, temporaryFolder } from "./support/scene.ts";

const oneQuestion = (question: string) => [{ id: "q_1", type: "text" as const, question, required: true }];

describe("the text of a notification", () => {
  test("names agent, project and branch, and contains the title and the first question", async () => {
    const { announce, started } = await scene();
    await announce({ title: "A new module" }, { project: "C:\\Users\\ada\\engine\\" });
    expect(started[0]?.request.args.slice(-2)).toEqual([
      "askbox: Claude Code in engine (main)",
      "A new module (4 questions)\nWhat should the new module be called?",
    ]);
  });

  test("names the machine, if it is another than the hub's, with text and without", async () => {
    for (const [showText, title] of [
      [true, "askbox: Claude Code in engine (main) on build-7"],
      [false, "askbox: Claude Code in engine on build-7"],
    ] as const) {
      const { announce, started } = await scene({ settings: { showText } });
      await announce({}, { machine: "build-7" });
      expect(started[0]?.request.args.at(-2)).toBe(title);
    }
  });

  test("contains the first question, shortened, if there is no title", async () => {
    const { ask, started, batchLeaves } = await scene();
    await ask({ title: undefined, questions: oneQuestion("Why? ".repeat(100)) });
    await batchLeaves();
    const body = started[0]?.request.args.at(-1) ?? "";
    expect(body).toMatch(/^Why\? Why\?.*…$/);
    expect(Array.from(body).length).toBeLessThanOrEqual(140);
  });

  test("names three sessions of a batch and counts the rest and the other agents", async () => {
    const { ask, started, batchLeaves } = await scene();
    for (const title of ["One", "Two", "Three", "Four", "Five"]) {
      await ask({ title, questions: oneQuestion("?") }, { client: { name: title === "Five" ? "Codex" : "Claude Code" } });
    }
    await batchLeaves();
    expect(started[0]?.request.args.slice(-2)).toEqual([
      "askbox: Claude Code in engine (main) and 1 more",
      "• One\n• Two\n• Three\nand 2 more",
    ]);
  });

  test("only counts the questions if text is disabled", async () => {
    for (const [count, body] of [
      [1, "1 question is waiting."],
      [3, "3 questions are waiting."],
    ] as const) {
      const { ask, started, batchLeaves } = await scene({ settings: { showText: false } });
      for (let asked = 0; asked < count; asked += 1) await ask({ title: "SECRET", questions: oneQuestion("SECRET?") });
      await batchLeaves();
      expect(started[0]?.request.args.slice(-2)).toEqual(["askbox: Claude Code in engine", body]);
    }
  });

  // promise: text-cleaned-at-boundary
  test("holds no control, escape or bidirectional characters from anywhere", async () => {
    const hostile = "\u001b[31mred\u001b]0;owned\u0007\u202Egnp\u2066\u0000\u0085\ud800\nnext";
    const { announce, started } = await scene();
    await announce({ title: hostile }, { project: `/srv/${hostile}`, branch: hostile, client: { name: hostile } });
    expect(started[0]?.request.args.slice(-2)).toEqual([
      "askbox: redgnp next in redgnp next (redgnp next)",
      "redgnp next (4 questions)\nWhat should the new module be called?",
    ]);
  });
});

describe("notifications", () => {
  // promise: notification-no-shell
  test("go through notify-send on Linux, where neither options, markup nor backslash escapes work", async () => {
    const { announce, started } = await scene();
    await announce({ title: "--hint=x <b>&\\74i\\76" });
    expect(started[0]?.request).toMatchObject({
      program: "notify-send",
      args: [
        "--print-id",
        "--app-name=askbox",
        "--icon=dialog-question",
        "--",
        "askbox: Claude Code in engine (main)",
        "--hint=x &lt;b&gt;&amp;\\\\74i\\\\76 (4 questions)\nWhat should the new module be called?",
      ],
    });
    expect(started[0]?.request.shell).toBeUndefined();
  });

  // promise: notification-no-shell
  test("go through osascript on macOS, with the text as arguments of a constant script", async () => {
    const { announce, ask, started } = await scene({ platform: "darwin" });
    await ask({ title: '" & (do shell script "id") & "' });
    await announce({ title: "-e" });
    const { program, args = [] } = started[0]?.request ?? {};
    expect(program).toBe("/usr/bin/osascript");
    expect(args.slice(0, 6).join("\n")).toBe(
      "-e\non run argv\n-e\ndisplay notification (item 2 of argv) with title (item 1 of argv)\n-e\nend run",
    );
    expect(args.slice(6)).toEqual([
      "askbox: Claude Code in engine (main)",
      '• " & (do shell script "id") & " (4 questions)\n• -e (4 questions)',
    ]);
  });

  // promise: notification-no-shell
  test("go through PowerShell on Windows, with the text as ASCII JSON on stdin of a constant script", async () => {
    const { announce, started } = await scene({ platform: "win32", env: { SystemRoot: "C:\\Windows" } });
    await announce({ title: "'; calc; $(calc) Größe 🦊" });
    const { program, args = [], input = "" } = started[0]?.request ?? {};
    expect(program).toBe("C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe");
    expect(args.join(" ")).not.toContain("calc");
    expect(args.join(" ")).not.toContain('"');
    expect(input).toMatch(/^[ -~]+$/);
    expect(JSON.parse(input)).toEqual({
      title: "askbox: Claude Code in engine (main)",
      body: "'; calc; $(calc) Größe 🦊 (4 questions)\nWhat should the new module be called?",
    });
  });

  test("go through Windows' PowerShell from Linux inside Windows", async () => {
    const { announce, started } = await scene({ env: { WSL_DISTRO_NAME: "Ubuntu" } });
    await announce();
    expect(started[0]?.request.program).toBe("powershell.exe");
  });

  test("find the desktop in its usual place if a client has dropped its variables", async () => {
    const runtime = temporaryFolder();
    for (const name of ["bus", "wayland-0", "wayland-0.lock"]) writeFileSync(join(runtime, name), "");
    const { ask, started, batchLeaves } = await scene({ env: { XDG_RUNTIME_DIR: runtime } });
    const preset = await scene({ env: { XDG_RUNTIME_DIR: runtime, DISPLAY: ":7", DBUS_SESSION_BUS_ADDRESS: "unix:abstract=x" } });
    for (const each of [ask, preset.ask]) await each();
    for (const each of [batchLeaves, preset.batchLeaves]) await each();
    expect(started[0]?.request.env).toEqual({
      XDG_RUNTIME_DIR: runtime,
      DBUS_SESSION_BUS_ADDRESS: `unix:path=${runtime}/bus`,
      WAYLAND_DISPLAY: "wayland-0",
    });
    expect(preset.started[0]?.request.env).toEqual({
      XDG_RUNTIME_DIR: runtime,
      DISPLAY: ":7",
      DBUS_SESSION_BUS_ADDRESS: "unix:abstract=x",
    });
  });

  const printing: SceneOptions["react"] = ({ program }) => (program === "notify-send" ? { stdout: "42\n" } : undefined);
  const closing = (id: string) => [
    ...["call", "--session", "--dest", "org.freedesktop.Notifications", "--object-path", "/org/freedesktop/Notifications"],
    ...["--method", "org.freedesktop.Notifications.CloseNotification", `uint32 ${id}`],
  ];

  // promise: notification-withdrawn
  test("are withdrawn on Linux when the last of their questions is settled anywhere", async () => {
    const { ask, started, batchLeaves, desk, answer, settled } = await scene({ react: printing });
    const [one, two] = [await ask(), await ask()];
    await batchLeaves();
    expect(started.map(({ request }) => request.program)).toEqual(["notify-send"]);
    await answer(one);
    await settled();
    expect(started).toHaveLength(1);
    await desk.cancel(two);
    await settled();
    expect(started.map(({ request: { program, args } }) => [program, args]).slice(1)).toEqual([["gdbus", closing("42")]]);
  });

  // promise: notification-withdrawn
  test("that were still being shown when their question was settled are withdrawn at once", async () => {
    const { announce, started, desk, settled } = await scene({ react: ({ program }) => (program === "notify-send" ? "stays" : undefined) });
    const id = await announce();
    await desk.cancel(id);
    started[0]?.end({ stdout: "7\n" });
    await settled();
    expect(started.at(-1)?.request.args).toEqual(closing("7"));
  });

  test("of an older notify-send are shown, but stay", async () => {
    const react: SceneOptions["react"] = ({ args }) =>
      args.includes("--print-id") ? { ending: exited(1), stderr: "Unknown option --print-id\n" } : undefined;
    const { announce, started, desk, settled, log } = await scene({ react });
    await desk.cancel(await announce({ title: "--print-id" }));
    await settled();
    expect(started.map(({ request: { args } }) => args[0])).toEqual(["--print-id", "--app-name=askbox"]);
    expect(started[1]?.request.args.at(-1)).toMatch(/^--print-id \(4 questions\)/);
    expect(log).toEqual([]);
  });

  test("that can't be withdrawn say what is missing, once", async () => {
    const react: SceneOptions["react"] = ({ program }) => (program === "gdbus" ? { ending: missing } : { stdout: "1\n" });
    const { announce, desk, settled, warnings } = await scene({ react });
    for (let round = 0; round < 2; round += 1) await desk.cancel(await announce());
    await settled();
    expect(warnings()).toEqual([
      "Notifications stay when their question is settled, since gdbus cannot be run; install GLib's tools (libglib2.0-bin on Debian and Ubuntu).",
    ]);
  });

  test("that cannot be shown are logged with the tool's own message", async () => {
    const { announce, log } = await scene({ react: () => ({ ending: exited(1), stderr: "No service\u001b[2J\nhere\n" }) });
    await announce();
    expect(log).toEqual([
      { level: "warn", message: "notify-send could not show a notification.", data: { exitCode: 1, reason: "No service here" } },
    ]);
  });
});
