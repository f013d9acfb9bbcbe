import { resolve } from "node:path";

/** The command that runs a hub in the background, under the same Node with the same options. */
export function hubCommand(host: Pick<NodeJS.Process, "execPath" | "execArgv" | "argv"> = process): string[] {
  return [...ownCommand(host), "hub", "--background"];
}

/** The command that starts this same program. */
export function ownCommand(host: Pick<NodeJS.Process, "execPath" | "execArgv" | "argv"> = process): string[] {
  return [host.execPath, ...host.execArgv, resolve(host.argv[1] ?? "askbox")];
}
