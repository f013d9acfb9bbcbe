import { resolve } from "node:path";
import type { FoundHub } from "@askbox/home";
import type { GlobalOptions } from "./context.ts";
import type { Io } from "./io.ts";

/** The command that runs a hub in the background, under the same Node with the same options. */
export function hubCommand(host: Pick<NodeJS.Process, "execPath" | "execArgv" | "argv"> = process): string[] {
  return [...ownCommand(host), "hub", "--background"];
}

/** The command that starts this same program. */
export function ownCommand(host: Pick<NodeJS.Process, "execPath" | "execArgv" | "argv"> = process): string[] {
  return [host.execPath, ...host.execArgv, resolve(host.argv[1] ?? "askbox")];
}

interface Caller {
  io: Pick<Io, "env">;
  globals: GlobalOptions;
}

/** The hub with the person's token; this home's own is started if it doesn't run. Throws the errors of `findHub`. */
export async function deskHub({ io, globals }: Caller): Promise<FoundHub> {
  const { findHub } = await import("@askbox/home");
  return findHub({ role: "desk", env: io.env, hubUrl: globals.hub, tokenFile: globals.tokenFile, start: true, hubCommand: hubCommand() });
}

/** One REST request to that hub. Throws the hub's own error, too. */
export async function requestDesk(
  caller: Caller,
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  body?: unknown,
): Promise<unknown> {
  const { requestHub } = await import("@askbox/home");
  return requestHub(await deskHub(caller), { method, path, body });
}
