import { standardPlatform } from "@askbox/core";
import { openersFor } from "./modes/browser.ts";
import { type AttentionMode, type AttentionSettings, Runnings } from "./modes/channel.ts";
import { notifierProgram } from "./modes/notifier.ts";
import { activeClient } from "./modes/tmux.ts";
import { isRemote, isWsl, withDesktop } from "./run/desktop.ts";
import { findProgram } from "./run/find-program.ts";
import { type Environment, processRunner, type Runner } from "./run/runner.ts";

export interface AttentionProblemsOptions {
  mode: AttentionMode;
  settings: AttentionSettings;
  env: Environment;
  platform: NodeJS.Platform;
  /** Starts processes; real ones by default. */
  run?: Runner | undefined;
}

/** The first tmux with popups. */
const oldestTmux = { major: 3, minor: 2 };

/** What keeps this mode from working here: a sentence for each problem, with how to fix it. Empty when nothing does. */
export async function attentionProblems(options: AttentionProblemsOptions): Promise<string[]> {
  switch (options.mode) {
    case "browser":
      return browserProblems(options);
    case "notify":
      return notifyProblems(options);
    case "terminal":
      return terminalProblems(options);
    case "command":
      return options.settings.command?.trim() ? [] : ["Attention is set to `command`, but there is no command: set one in the config."];
    case "none":
      return [];
  }
}

function browserProblems({ env, platform }: AttentionProblemsOptions): string[] {
  const problems: string[] = [];
  if (isRemote(env))
    problems.push("This is an SSH session, where no browser opens before you: set attention to `terminal`, `command` or `none`.");
  const programs = openersFor("", env, platform).map(({ program }) => program);
  if (!programs.some((program) => isThere(program, env, platform))) {
    const names = programs.map((name) => `\`${name}\``);
    const lacking = names.length > 1 ? `none of ${names.join(", ")} is` : `${names.join("")} is not`;
    const fix = platform === "linux" && !isWsl(env, platform) ? "install xdg-utils" : "add the folder it is in to PATH";
    problems.push(`No browser can be opened: ${lacking} to be found; ${fix}, or set attention to another mode.`);
  }
  if (platform === "linux" && !isWsl(env, platform)) {
    const desktop = withDesktop(env, platform);
    if (!desktop["DISPLAY"] && !desktop["WAYLAND_DISPLAY"]) {
      problems.push(
        "There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set): start the hub at your desktop, or set attention to another mode.",
      );
    }
  }
  return problems;
}

function notifyProblems({ env, platform }: AttentionProblemsOptions): string[] {
  const problems: string[] = [];
  const program = notifierProgram(env, platform);
  if (!isThere(program, env, platform)) {
    const fix = program === "notify-send" ? "install libnotify (libnotify-bin on Debian and Ubuntu)" : "add the folder it is in to PATH";
    problems.push(`No notification can be shown: \`${program}\` is not to be found; ${fix}, or set attention to another mode.`);
  }
  if (program === "notify-send" && !withDesktop(env, platform)["DBUS_SESSION_BUS_ADDRESS"]) {
    problems.push("There is no way to your desktop's notifications (DBUS_SESSION_BUS_ADDRESS is not set): start the hub at your desktop.");
  }
  return problems;
}

async function terminalProblems({ env, platform, run }: AttentionProblemsOptions): Promise<string[]> {
  if (platform === "win32") return ["There is no tmux on Windows: set attention to `browser`, `notify` or `command`."];
  if (!isThere("tmux", env, platform))
    return ["No popup can be shown: `tmux` is not to be found; install tmux 3.2 or later, or set attention to another mode."];
  const runnings = new Runnings(run ?? processRunner(standardPlatform(globalThis).clock, platform));
  const { stdout } = await runnings.start({ program: "tmux", args: ["-V"], env, timeLimit: 5_000, keepOutput: true }).ended;
  const [, major = "", minor = ""] = /(?<!\d)(\d{1,9})\.(\d{1,9})/.exec(stdout) ?? [];
  if (major !== "" && isOlder(Number(major), Number(minor))) {
    return [`This tmux (${major}.${minor}) has no popups: install tmux 3.2 or later, or set attention to another mode.`];
  }
  const client = await activeClient((request) => runnings.start(request), env);
  return client === "no client"
    ? ["Nobody is attached to tmux at the moment: attach a terminal (`tmux attach`) to be shown popups there."]
    : [];
}

const isOlder = (major: number, minor: number) => major < oldestTmux.major || (major === oldestTmux.major && minor < oldestTmux.minor);

function isThere(program: string, env: Environment, platform: NodeJS.Platform): boolean {
  return findProgram(program, env, platform) !== undefined;
}
