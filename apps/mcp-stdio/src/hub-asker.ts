import type { Asker, Log } from "@askbox/core";

export interface HubAskerOptions {
  env: NodeJS.ProcessEnv;
  hub: string | undefined;
  tokenFile: string | undefined;
  /** The program and arguments that run a hub in the background. */
  hubCommand: readonly string[];
  version: string;
  log: Log;
}

/** The way to the hub, entered with the first call. */
export interface HubAsker {
  /** The asker at the hub, which is started when none runs. Throws `HUB_UNREACHABLE`. */
  get(): Promise<Asker>;
  /** Loads what connecting needs. */
  warmUp(): Promise<void>;
  close(): void;
}

const loadHome = () => import("./connect.ts");

export function createHubAsker(options: HubAskerOptions): HubAsker {
  const gone = new AbortController();
  type Client = Awaited<ReturnType<Awaited<ReturnType<typeof loadHome>>["connect"]>>;
  let connection: Promise<Client> | undefined;
  return {
    async get() {
      connection ??= loadHome().then(({ connect }) => connect(options, gone.signal));
      const current = connection;
      try {
        return (await current).asker;
      } catch (error) {
        // The next call tries anew; a hub may have come up meanwhile.
        if (connection === current) connection = undefined;
        throw error;
      }
    },
    warmUp: async () => void (await loadHome()),
    close() {
      gone.abort();
      connection?.then((client) => client.close()).catch(() => {});
    },
  };
}
