import { AskboxError, type Asker, type Clock, standardPlatform } from "@askbox/core";
import type { CallEnd } from "@askbox/mcp";
import type { ConnectOptions } from "./connect.ts";

/** The connection to the hub, made with the first call. */
export interface HubAsker {
  /** The asker at the hub, which is started if none is running. Throws `HUB_UNREACHABLE`, after `within` ms at the latest. */
  get(within?: number): Promise<Asker>;
  /** Reports a finished call to the hub, if connected. */
  called(end: CallEnd): void;
  /** Loads the modules for connecting. */
  warmUp(): Promise<void>;
  close(): void;
}

/** The call's time was over while the hub was still being looked for. */
class TooLate extends AskboxError {
  constructor(cause: AskboxError | undefined) {
    const sentence = "No askbox hub could be reached within this call's time.";
    super("HUB_UNREACHABLE", cause === undefined ? sentence : `${sentence} ${cause.message}`, { cause });
  }
}

const loadConnect = () => import("./connect.ts");

export function createHubAsker(options: ConnectOptions, clock: Pick<Clock, "setTimer"> = standardPlatform(globalThis).clock): HubAsker {
  const gone = new AbortController();
  type Client = Awaited<ReturnType<Awaited<ReturnType<typeof loadConnect>>["connect"]>>;
  let connection: Promise<Client> | undefined;
  /** Why the hub was not reached so far. */
  let missed: AskboxError | undefined;
  const soonEnough = async <Result>(work: Promise<Result>, within: number | undefined): Promise<Result> => {
    if (within === undefined) return work;
    const late = Promise.withResolvers<never>();
    const cancel = clock.setTimer(within, () => late.reject(new TooLate(missed)));
    return Promise.race([work, late.promise]).finally(cancel);
  };
  const hub: HubAsker = {
    async get(within) {
      connection ??= loadConnect().then(({ connect }) => connect({ ...options, onMissed: (error) => (missed = error) }, gone.signal));
      const current = connection;
      const forget = () => {
        if (connection === current) connection = undefined;
      };
      try {
        const client = await soonEnough(current, within);
        // A hub that rejected the reconnecting client has closed it permanently: its token or version has changed.
        if (client.state() !== "closed") return client.asker;
      } catch (error) {
        // The next call tries again; a hub may be available by then.
        if (!(error instanceof TooLate)) forget();
        throw error;
      }
      forget();
      return hub.get(within);
    },
    called(end) {
      connection?.then((client) => client.called(end)).catch(() => {});
    },
    warmUp: async () => void (await loadConnect()),
    close() {
      gone.abort();
      connection?.then((client) => client.close()).catch(() => {});
    },
  };
  return hub;
}
