import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type AttentionMode, attentionProblems } from "../src/index.ts";
import type { RunRequest } from "../src/run.ts";
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

const bus = { DISPLAY: ":0", DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/user/1/bus" };
const other = "or set attention to another mode.";

describe("the problems of an attention mode", () => {
  test.each<[AttentionMode, Given, ...string[]]>([
    ["browser", { env: bus, programs: ["xdg-open"] }],
    ["browser", { env: { WSL_DISTRO_NAME: "Ubuntu" }, programs: ["rundll32.exe"] }],
    [
      "browser",
      { env: { SSH_CONNECTION: "1", DISPLAY: ":10" }, programs: ["xdg-open"] },
      "This is an SSH session, where no browser opens before you: set attention to `terminal`, `command` or `none`.",
    ],
    [
      "browser",
      {},
      `No browser can be opened: \`xdg-open\` is not to be found; install xdg-utils, ${other}`,
      `There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set): start the hub at your desktop, ${other}`,
    ],
    [
      "browser",
      { env: { WSL_DISTRO_NAME: "Ubuntu" } },
      `No browser can be opened: none of \`wslview\`, \`rundll32.exe\`, \`xdg-open\` is to be found; add the folder it is in to PATH, ${other}`,
    ],
    ["notify", { env: bus, programs: ["notify-send"] }],
    [
      "notify",
      {},
      `No notification can be shown: \`notify-send\` is not to be found; install libnotify (libnotify-bin on Debian and Ubuntu), ${other}`,
      "There is no way to your desktop's notifications (DBUS_SESSION_BUS_ADDRESS is not set): start the hub at your desktop.",
    ],
    ["terminal", { programs: ["tmux"], react: tmux("tmux 3.3a\n", "1 0 /dev/pts/1\n") }],
    ["terminal", {}, `No popup can be shown: \`tmux\` is not to be found; install tmux 3.2 or later, ${other}`],
    [
      "terminal",
      { programs: ["tmux"], react: tmux("tmux 3.1c\n", "1 0 /dev/pts/1\n") },
      `This tmux (3.1) has no popups: install tmux 3.2 or later, ${other}`,
    ],
    [
      "terminal",
      { programs: ["tmux"], react: tmux("tmux 3.2\n", "") },
      "Nobody is attached to tmux at the moment: attach a terminal (`tmux attach`) to be shown popups there.",
    ],
    ["terminal", { platform: "win32" }, "There is no tmux on Windows: set attention to `browser`, `notify` or `command`."],
    ["command", { command: "true" }],
    ["command", { command: " " }, "Attention is set to `command`, but there is no command: set one in the config."],
    ["none", {}],
  ])("%s with %o", async (mode, settings, ...expected) => {
    expect(await problems(mode, settings)).toEqual(expected);
  });

  test("do not include a variable dropped by a client if the bus is in its usual place", async () => {
    const runtime = temporaryFolder();
    writeFileSync(join(runtime, "bus"), "");
    expect(await problems("notify", { env: { XDG_RUNTIME_DIR: runtime }, programs: ["notify-send"] })).toEqual([]);
  });

  test("include a folder or a file without execute permission under the tool's name", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "notify-send"));
    writeFileSync(join(folder, "xdg-open"), "");
    chmodSync(join(folder, "xdg-open"), 0o644);
    for (const mode of ["notify", "browser"] as const) expect(await problems(mode, { env: { ...bus, PATH: folder } })).toHaveLength(1);
  });
});
