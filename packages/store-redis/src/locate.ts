import { createClient } from "@redis/client";
import type { Address, Credentials, RedisTarget } from "./redis-url.ts";

type Options = Parameters<typeof createClient>[0] & { RESP: 2 };
export type Client = ReturnType<typeof createClientOf>;

/** A client that neither reconnects nor queues: what it cannot send at once is rejected. */
export function createClientOf(address: Address, target: RedisTarget, credentials: Credentials, database: number) {
  const place = "path" in address ? { path: address.path } : { host: address.host, port: address.port };
  const { tls } = target;
  const secure =
    tls === undefined ? {} : { tls: true as const, ...withoutUndefined({ ...tls, servername: tls.servername ?? hostNameOf(address) }) };
  const options = {
    socket: { ...place, ...secure, reconnectStrategy: false, connectTimeout: target.timeout, noDelay: true, keepAlive: true },
    RESP: 2,
    disableOfflineQueue: true,
    maintNotifications: "disabled",
    name: "askbox",
    database,
    ...withoutUndefined(credentials),
  } as Options;
  return createClient<Record<never, never>, Record<never, never>, Record<never, never>, 2>(options);
}

/** Connects within the time, or throws and leaves nothing open. */
export async function connectTo(client: Client, timeout: number, onError: (error: Error) => void): Promise<void> {
  client.on("error", onError);
  const timer = setTimeout(() => client.destroy(), timeout);
  try {
    await client.connect();
  } finally {
    clearTimeout(timer);
  }
}

/** The current server of this target: the master named by sentinels, the node that has the space's slot, or the given server. */
export async function locate(target: RedisTarget, slotKey: string): Promise<Address> {
  const [first] = target.seeds;
  if (first === undefined) throw new Error("The URL names no server.");
  if (target.kind === "single") return first;
  const credentials = target.kind === "sentinel" ? target.sentinelCredentials : target.credentials;
  const problems: string[] = [];
  // Starts with a different one each time, so that a broken one does not delay everybody.
  const start = Math.floor(Math.random() * target.seeds.length);
  for (const seed of [...target.seeds.slice(start), ...target.seeds.slice(0, start)]) {
    const client = createClientOf(seed, target, credentials, 0);
    try {
      await connectTo(client, target.timeout, () => {});
      const found = target.kind === "sentinel" ? await masterOf(client, target.master) : await ownerOf(client, slotKey, seed);
      if (found !== undefined) return found;
      problems.push("it knows none");
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    } finally {
      if (client.isOpen) client.destroy();
    }
  }
  const whom = target.kind === "sentinel" ? `No sentinel names a master ${target.master}` : "No node of the cluster can be asked";
  throw new Error(`${whom}: ${problems.join("; ")}`);
}

async function masterOf(sentinel: Client, name: string): Promise<Address | undefined> {
  const reply = await sentinel.sendCommand<[string, string] | null>(["SENTINEL", "get-master-addr-by-name", name]);
  return reply === null ? undefined : { host: reply[0], port: Number(reply[1]) };
}

type SlotRange = [from: number, to: number, master: [host: string | null, port: number, ...unknown[]], ...unknown[]];

async function ownerOf(node: Client, slotKey: string, seed: Address): Promise<Address | undefined> {
  const slot = await node.sendCommand<number>(["CLUSTER", "KEYSLOT", slotKey]);
  const ranges = await node.sendCommand<SlotRange[]>(["CLUSTER", "SLOTS"]);
  const owner = ranges.find(([from, to]) => from <= slot && slot <= to)?.[2];
  if (owner === undefined) return undefined;
  const [host, port] = owner;
  // A node that does not know its own address means the one under which it was reached.
  return { host: host || ("host" in seed ? seed.host : "127.0.0.1"), port };
}

const hostNameOf = (address: Address) =>
  "host" in address && /[a-z]/i.test(address.host) && !address.host.includes(":") ? address.host : undefined;

function withoutUndefined<Value extends object>(value: Value): Partial<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, setting]) => setting !== undefined)) as Partial<Value>;
}
