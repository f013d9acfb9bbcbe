import { connectHub } from "@askbox/home";
import type { HubAskerOptions } from "./hub-asker.ts";

/** Milliseconds. A hub that goes away during a question is looked for this long before its calls fail. */
const timeout = 60_000;

export function connect(options: HubAskerOptions, signal: AbortSignal): ReturnType<typeof connectHub> {
  const { env, hub, tokenFile, hubCommand, version, log } = options;
  return connectHub({
    role: "asker",
    agent: { name: "askbox mcp", version },
    env,
    hubUrl: hub,
    tokenFile,
    start: true,
    hubCommand,
    timeout,
    log,
    signal,
  });
}
