import { AskboxError, type Asker } from "@askbox/core";
import type { CallEnd } from "@askbox/mcp";
import type { ConnectOptions } from "./connect.ts";

/** The way to the hub, entered with the first call. */
export interface HubAsker {
  /** The asker at the hub, which is started when none runs. Throws `HUB_UNREACHABLE`, after `within` ms at the latest. */
  get(within?: number): Promise<Asker>;
  /** Lets the hub count a call that has ended, where one is connected. */
  called(end: CallEnd): void;
  /** Loads what connecting needs. */
  warmUp(): Promise<void>;
  close(): void;
}

const tooLate = new AskboxError("HUB_UNREACHABLE", "No askbox hub was reached in the time of this call.");

async function soonEnough<Result>(work: Promise<Result>, within: number | undefined): Promise<Result> {
  if (within === undefined) return work;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(tooLate), within);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

const loadHome = () => import("./connect.ts");

export function createHubAsker(options: ConnectOptions): HubAsker {
  const gone = new AbortController();
  type Client = Awaited<ReturnType<Awaited<ReturnType<typeof loadHome>>["connect"]>>;
  let connection: Promise<Client> | undefined;
  const hub: HubAsker = {
    async get(within) {
      connection ??= loadHome().then(({ connect }) => connect(options, gone.signal));
      const current = connection;
      const forget = () => {
        if (connection === current) connection = undefined;
      };
      try {
        const client = await soonEnough(current, within);
        // A hub that refused to take the client back has closed it for good: its token has changed, or its version.
        if (client.state() !== "closed") return client.asker;
      } catch (error) {
        // The next call tries again; a hub may have come up meanwhile.
        if (error !== tooLate) forget();
        throw error;
      }
      forget();
      return hub.get(within);
    },
    called(end) {
      connection?.then((client) => client.called(end)).catch(() => {});
    },
    warmUp: async () => void (await loadHome()),
    close() {
      gone.abort();
      connection?.then((client) => client.close()).catch(() => {});
    },
  };
  return hub;
}
