import { resolve } from "node:path";

/** The program and arguments by which this very command runs a hub in the background, under the same Node and its options. */
export function hubCommand(host: Pick<NodeJS.Process, "execPath" | "execArgv" | "argv"> = process): string[] {
  return [...ownCommand(host), "hub", "--background"];
}

/** The program and arguments that start this very command. */
export function ownCommand(host: Pick<NodeJS.Process, "execPath" | "execArgv" | "argv"> = process): string[] {
  return [host.execPath, ...host.execArgv, resolve(host.argv[1] ?? "askbox")];
}
