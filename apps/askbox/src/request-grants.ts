import type { CommandContext } from "./context.ts";
import { hubCommand } from "./hub-command.ts";

/** A request to the hub about grants, with the person's token. */
export async function requestGrants(
  { io, globals }: Pick<CommandContext, "io" | "globals">,
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: unknown,
): Promise<unknown> {
  const { findHub, requestHub } = await import("@askbox/home");
  const options = { role: "desk", env: io.env, hubUrl: globals.hub, tokenFile: globals.tokenFile } as const;
  const found = await findHub({ ...options, start: true, hubCommand: hubCommand() });
  return requestHub(found, { method, path: `/api/grants${path}`, body });
}
