import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type AttentionMode, attentionProblems } from "../src/index.ts";
import type { RunRequest } from "../src/run/runner.ts";
import { fakeProgram } from "./support/fake-program.ts";
import { exited, recordingRunner, temporaryFolder } from "./support/scene.ts";

interface Given {
  env?: Record<string, string>;
  platform?: NodeJS.Platform;
  command?: string;
  programs?: readonly string[];
  react?: (request: RunRequest) => ReturnType<NonNullable<Parameters<typeof recordingRunner>[0]>>;
}

/** The problems of a machine with only these programs, and no desktop except for `env`. */
function problems(mode: AttentionMode, { env = {}, platform = "linux", command, programs = [], react }: Given = {}): Promise<string[]> {
  const folder = temporaryFolder();
  for (const program of programs) fakeProgram(folder, program);
  return attentionProblems({
    mode,
    settings: { command },
    env: { PATH: folder, XDG_RUNTIME_DIR: join(folder, "absent"), ...env },
    platform,
    run: recordingRunner(react).run,
  });
}

const tmux = (version: string, clients: string) => (request: RunRequest) =>
  request.args[0] === "-V" ? { stdout: version } : clients === "" ? { ending: exited(1) } : { stdout: clients };

describe("the problems of an attention mode", () => {
  test("are none if everything is available, or the mode is none", async () => {
    const bus = { DISPLAY: ":0", DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/user/1/bus" };
    expect(await problems("browser", { env: bus, programs: ["xdg-open"] })).toEqual([]);
    expect(await problems("notify", { env: bus, programs: ["notify-send"] })).toEqual([]);
    expect(await problems("terminal", { programs: ["tmux"], react: tmux("tmux 3.3a\n", "1 0 /dev/pts/1\n") })).toEqual([]);
    expect(await problems("command", { command: "true" })).toEqual([]);
    expect(await problems("none")).toEqual([]);
  });

  test("for a browser are SSH, a missing opener or a missing display", async () => {
    expect(await problems("browser", { env: { SSH_CONNECTION: "1", DISPLAY: ":10" }, programs: ["xdg-open"] })).toEqual([
      "This is an SSH session, where no browser opens before you: set attention to `terminal`, `command` or `none`.",
    ]);
    expect(await problems("browser")).toEqual([
      "No browser can be opened: `xdg-open` is not to be found; install xdg-utils, or set attention to another mode.",
      "There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set): start the hub at your desktop, or set attention to another mode.",
    ]);
    expect(await problems("browser", { env: { WSL_DISTRO_NAME: "Ubuntu" }, programs: ["rundll32.exe"] })).toEqual([]);
    expect(await problems("browser", { env: { WSL_DISTRO_NAME: "Ubuntu" } })).toEqual([
      "No browser can be opened: none of `wslview`, `rundll32.exe`, `xdg-open` is to be found; add the folder it is in to PATH, or set attention to another mode.",
    ]);
  });

  test("for notifications are a missing tool or an unreachable desktop", async () => {
    expect(await problems("notify")).toEqual([
      "No notification can be shown: `notify-send` is not to be found; install libnotify (libnotify-bin on Debian and Ubuntu), or set attention to another mode.",
      "There is no way to your desktop's notifications (DBUS_SESSION_BUS_ADDRESS is not set): start the hub at your desktop.",
    ]);
  });

  test("for notifications do not include a variable dropped by a client if the bus is in its usual place", async () => {
    const runtime = temporaryFolder();
    writeFileSync(join(runtime, "bus"), "");
    expect(await problems("notify", { env: { XDG_RUNTIME_DIR: runtime }, programs: ["notify-send"] })).toEqual([]);
  });

  test("for popups are a missing or old tmux, or no attached client", async () => {
    expect(await problems("terminal")).toEqual([
      "No popup can be shown: `tmux` is not to be found; install tmux 3.2 or later, or set attention to another mode.",
    ]);
    expect(await problems("terminal", { programs: ["tmux"], react: tmux("tmux 3.1c\n", "1 0 /dev/pts/1\n") })).toEqual([
      "This tmux (3.1) has no popups: install tmux 3.2 or later, or set attention to another mode.",
    ]);
    expect(await problems("terminal", { programs: ["tmux"], react: tmux("tmux 3.2\n", "") })).toEqual([
      "Nobody is attached to tmux at the moment: attach a terminal (`tmux attach`) to be shown popups there.",
    ]);
    expect(await problems("terminal", { platform: "win32" })).toEqual([
      "There is no tmux on Windows: set attention to `browser`, `notify` or `command`.",
    ]);
  });

  test("for a command are that none is set", async () => {
    expect(await problems("command", { command: " " })).toEqual([
      "Attention is set to `command`, but there is no command: set one in the config.",
    ]);
  });

  test("include a folder or a file without execute permission under the tool's name", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "notify-send"));
    writeFileSync(join(folder, "xdg-open"), "");
    chmodSync(join(folder, "xdg-open"), 0o644);
    const env = { PATH: folder, DISPLAY: ":0", DBUS_SESSION_BUS_ADDRESS: "unix:" };
    expect(await problems("notify", { env })).toHaveLength(1);
    expect(await problems("browser", { env })).toHaveLength(1);
  });
});
