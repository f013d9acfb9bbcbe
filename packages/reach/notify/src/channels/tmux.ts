import type { Ending, Environment, Runner, RunRequest } from "../run/runner.ts";

/** Timeout of a tmux command, in milliseconds. */
const timeLimit = 5_000;
const format = "#{client_activity} #{client_control_mode} #{client_name}";

/** A client, and the socket of its server; undefined for the default one. */
export interface TmuxClient {
  socket: string | undefined;
  name: string;
}

/** The server in `TMUX` (`socket,pid,session`), and the default one, in case the first has ended. */
function tmuxSockets(env: Environment): (string | undefined)[] {
  const socket = /^(.+),\d+,\d+$/.exec(env["TMUX"] ?? "")?.[1];
  return socket === undefined ? [undefined] : [socket, undefined];
}

export function tmuxRequest(socket: string | undefined, args: readonly string[], env: Environment): RunRequest {
  // With TMUX set, tmux would take the default server for that one.
  return { program: "tmux", args: [...(socket === undefined ? [] : ["-S", socket]), ...args], env: { ...env, TMUX: undefined } };
}

/** The most recently used client attached to one of the servers, or why there is none. Listing never starts a server. */
export async function activeClient(
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
