import { cut } from "@askbox/core/questions";
import { isThere } from "../run/find-program.ts";
import type { LocalChannel, LocalContext, LocalSender, ProblemsOptions } from "./channel.ts";
import { activeClient, tmuxRequest } from "./tmux.ts";

/** Makes the command in the popup, which gets tmux's environment and not this one, use the same home. */
const homeVariables = ["ASKBOX_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"];
/** Exit codes of `askbox --once` that are not failures: done, cancelled, timed out. */
const fine = [0, 3, 4];

/** The first tmux version with popups. */
const oldestTmux = { major: 3, minor: 2 };

/** The terminal inbox in a popup over the most recently used tmux client. */
function open({ run, env, log, warnOnce, askboxCommand }: LocalContext): LocalSender {
  return async (_sessions, signal) => {
    const client = await activeClient(run, env, signal);
    if (client === "stopped") return;
    if (client === "no tmux") {
      warnOnce("No popup can be shown, since tmux cannot be run; `askbox doctor` says how to fix it.");
    } else if (client === "no client") {
      warnOnce("No popup can be shown, since nobody is attached to tmux; `askbox` shows the inbox in any terminal.");
    } else {
      // More than one argument after `--`: tmux starts them without a shell.
      const words = ["env", ...homeVariables.flatMap((name) => (env[name] ? [`${name}=${env[name]}`] : [])), ...askboxCommand, "--once"];
      const shape = ["-E", "-w", "80%", "-h", "80%", "-T", "askbox", "-c", client.name];
      log("info", "Opened the inbox in a tmux popup");
      const request = tmuxRequest(client.socket, ["display-popup", ...shape, "--", ...words], env);
      const { ending, stderr } = await run({ ...request, keepOutput: true, signal }).ended;
      // Codes above 128 are signals: the person closed the popup or the terminal around it.
      if (ending.kind === "exited" && !fine.includes(ending.code) && ending.code <= 128) {
        warnOnce("The tmux popup with the inbox failed; `askbox doctor` says what it needs.", {
          exitCode: ending.code,
          reason: cut(stderr.trim(), 300, ""),
        });
      }
    }
  };
}

async function problems({ env, platform, run }: ProblemsOptions): Promise<string[]> {
  if (platform === "win32") return ["There is no tmux on Windows: set attention to `browser`, `notify` or `command`."];
  if (!isThere("tmux", env, platform))
    return ["No popup can be shown: `tmux` is not to be found; install tmux 3.2 or later, or set attention to another mode."];
  const { stdout } = await run({ program: "tmux", args: ["-V"], env, timeLimit: 5_000, keepOutput: true }).ended;
  const [, major = "", minor = ""] = /(?<!\d)(\d{1,9})\.(\d{1,9})/.exec(stdout) ?? [];
  if (major !== "" && isOlder(Number(major), Number(minor))) {
    return [`This tmux (${major}.${minor}) has no popups: install tmux 3.2 or later, or set attention to another mode.`];
  }
  const client = await activeClient(run, env);
  return client === "no client"
    ? ["Nobody is attached to tmux at the moment: attach a terminal (`tmux attach`) to be shown popups there."]
    : [];
}

const isOlder = (major: number, minor: number) => major < oldestTmux.major || (major === oldestTmux.major && minor < oldestTmux.minor);

export const terminal: LocalChannel = { atOnce: 1, open, problems };
