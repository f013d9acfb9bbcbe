import { isAskboxError } from "@askbox/core";
import { homeFolders, readDeskFile } from "@askbox/home";
import { onTestFinished } from "vitest";
import { type FaultHome, faultHome, type HubProcess } from "../../faults/support/home.ts";
import { until } from "../../support/until.ts";
import { type Balancer, balancer } from "./balancer.ts";

/** One of several hubs: a home, and the process running in it. */
export interface Member {
  readonly home: FaultHome;
  readonly port: number;
  /** Kills the process at once. */
  kill(): Promise<void>;
  /** Starts one on the same port; resolves when it serves. */
  start(): Promise<void>;
}

/** Several hubs on one Redis, behind one load balancer. */
export interface Cluster {
  readonly members: readonly Member[];
  readonly balancer: Balancer;
  /** A home without a hub, whose clients and commands connect through the balancer. */
  readonly outside: FaultHome;
}

/** Starts the hubs and waits until each has found the others. `storeOf` gives each its connection to Redis. */
export async function startCluster(storeOf: (member: number) => string, size = 3, env: Record<string, string> = {}): Promise<Cluster> {
  const way = await balancer();
  onTestFinished(() => way.close());
  const members = await Promise.all(
    Array.from({ length: size }, async (_, index): Promise<Member> => {
      const home = faultHome({ env: { ASKBOX_STORE: storeOf(index), ASKBOX_HOSTS: `127.0.0.1:${way.port}`, ...env } });
      let hub: HubProcess = await home.startHub();
      const port = Number(new URL(home.hub()?.url ?? "").port);
      return {
        home,
        port,
        kill: () => hub.kill(),
        async start() {
          hub = await home.startHub();
        },
      };
    }),
  );
  way.targets = members.map(({ port }) => port);
  const [first] = members;
  const askerToken = first?.home.hub()?.askerToken ?? "";
  const deskToken = readDeskFile(homeFolders({ env: first?.home.env ?? {} }))?.deskToken ?? "";
  const inside = faultHome({ env: { ASKBOX_HUB: way.url, ASKBOX_TOKEN: askerToken } });
  const outside: FaultHome = {
    ...inside,
    found: async (role) => ({ url: way.url, token: role === "desk" ? deskToken : askerToken }),
    connect: (options) =>
      until("a hub takes the connection", async () => {
        try {
          return await inside.connect({
            ...options,
            start: false,
            hubUrl: way.url,
            token: options.role === "desk" ? deskToken : askerToken,
          });
        } catch (error) {
          // A client that connects at the moment of a kill gets an error, and retries.
          if (isAskboxError(error, "HUB_UNREACHABLE")) return undefined;
          throw error;
        }
      }),
  };
  await Promise.all(members.map((member) => untilMet(member, size - 1)));
  return { members, balancer: way, outside };
}

/** Resolves when the hub knows this many others. */
async function untilMet({ home }: Member, others: number): Promise<void> {
  const { control, close } = await home.connect({ role: "desk" });
  await until(`${others} other hubs are known`, async () => {
    const { peers } = await control.status();
    return Array.isArray(peers) && peers.length === others;
  });
  close();
}
