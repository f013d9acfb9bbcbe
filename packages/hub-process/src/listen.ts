import { AskboxError } from "@askbox/core";
import type { Hub } from "@askbox/hub";

export interface ListenOptions {
  host: string;
  /** The requested port; there is no fallback. */
  port: number | undefined;
  /**
   * The ports of previous hubs, preferred first: the first that is free is kept, so that open pages and addresses in clients' files keep
   * working.
   */
  lastPorts: readonly number[];
}

/** Starts the hub's server. Throws `VALIDATION` with one sentence if it cannot listen on the given address. */
export async function listenAt(hub: Hub, { host, port, lastPorts }: ListenOptions): Promise<string> {
  for (const lastPort of port === undefined ? lastPorts : []) {
    try {
      return await hub.listen({ host, port: lastPort });
    } catch (error) {
      if (!["EADDRINUSE", "EACCES"].includes(codeOf(error))) throw explained(error, host, lastPort);
    }
  }
  try {
    return await hub.listen({ host, port: port ?? 0 });
  } catch (error) {
    throw explained(error, host, port ?? 0);
  }
}

function explained(cause: unknown, host: string, port: number): AskboxError {
  const code = codeOf(cause);
  // keys: the system's codes, in capitals.
  const sentences: Record<string, string> = {
    EADDRINUSE: `Port ${port} is taken by another program; choose another with --port, or none to let the system choose.`,
    EACCES: `Port ${port} may not be used by this user; choose one of 1024 or more with --port.`,
    EADDRNOTAVAIL: `This machine has no address ${host}; correct --host.`,
    ENOTFOUND: `This machine has no address ${host}; correct --host.`,
  };
  return new AskboxError("VALIDATION", sentences[code] ?? `The hub cannot listen at ${host}:${port} (${code}).`, { cause });
}

const codeOf = (error: unknown) => String((error as { code?: unknown }).code ?? error);
