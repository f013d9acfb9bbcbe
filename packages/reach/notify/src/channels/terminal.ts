import { cut } from "@askbox/core/questions";
import { type Ending, type Environment, isThere, type Runner, type RunRequest } from "../run.ts";
import type { LocalChannel, LocalContext, LocalSender, ProblemsOptions } from "./channel.ts";

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

/** Timeout of a tmux command, in milliseconds. */
const timeLimit = 5_000;
const format = "#{client_activity} #{client_control_mode} #{client_name}";

/** A client, and the socket of its server; undefined for the default one. */
interface TmuxClient {
  socket: string | undefined;
  name: string;
}

/** The server in `TMUX` (`socket,pid,session`), and the default one, in case the first has ended. */
function tmuxSockets(env: Environment): (string | undefined)[] {
  const socket = /^(.+),\d+,\d+$/.exec(env["TMUX"] ?? "")?.[1];
  return socket === undefined ? [undefined] : [socket, undefined];
}

function tmuxRequest(socket: string | undefined, args: readonly string[], env: Environment): RunRequest {
  // With TMUX set, tmux would take the default server for that one.
  return { program: "tmux", args: [...(socket === undefined ? [] : ["-S", socket]), ...args], env: { ...env, TMUX: undefined } };
}

/** The most recently used client attached to one of the servers, or why there is none. Listing never starts a server. */
async function activeClient(
  run: Runner,
  env: Environment,
  signal?: AbortSignal,
): Promise<TmuxClient | "no tmux" | "no client" | "stopped"> {
  for (const socket of tmuxSockets(env)) {
    const request = tmuxRequest(socket, ["list-clients", "-F", format], env);
    const { ending, stdout } = await run({ ...request, timeLimit, keepOutput: true, signal }).ended;
    if (ending.kind === "unstartable") return "no tmux";
    if (ending.kind === "stopped") return "stopped";
    const name = succeeded(ending) ? lastUsed(stdout) : undefined;
    if (name !== undefined) return { socket, name };
  }
  return "no client";
}

const succeeded = (ending: Ending) => ending.kind === "exited" && ending.code === 0;

function lastUsed(listing: string): string | undefined {
  const clients = listing.split("\n").flatMap((line) => {
    const [, activity, control, name] = /^(\d+) ([01]) (.+)$/.exec(line) ?? [];
    // A client in control mode is a program and draws no popups.
    return activity === undefined || control !== "0" || name === undefined ? [] : [{ activity: Number(activity), name }];
  });
  return clients.sort((one, other) => other.activity - one.activity)[0]?.name;
}
