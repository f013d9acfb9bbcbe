import { type RedisProcess, startRedis } from "./redis-process.ts";
import { until } from "./sentinels.ts";

/** A cluster of masters without replicas. */
export interface RedisCluster {
  readonly nodes: readonly RedisProcess[];
  /** `redis+cluster://127.0.0.1:P1,127.0.0.1:P2`. */
  readonly url: string;
  stop(): Promise<void>;
}

const slots = 16_384;

/** Starts nodes, distributes the slots, and waits until they form a cluster. */
export async function startCluster(size: number): Promise<RedisCluster> {
  const nodes: RedisProcess[] = [];
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()));
  };
  try {
    for (let index = 0; index < size; index += 1) {
      const node = await startRedis({ settings: { "cluster-enabled": "yes", "cluster-node-timeout": "2000" } });
      nodes.push(node);
      const [from, to] = [Math.ceil((slots / size) * index), Math.ceil((slots / size) * (index + 1)) - 1];
      await node.command("CLUSTER", "ADDSLOTSRANGE", String(from), String(to));
      const [first] = nodes;
      if (first !== undefined && first !== node) await node.command("CLUSTER", "MEET", "127.0.0.1", String(first.port));
    }
    // The nodes tell each other of themselves once a second, and of one another even later.
    for (const node of nodes)
      await until(
        () => node.command<string>("CLUSTER", "INFO"),
        (info) => info.includes("cluster_state:ok"),
        60_000,
      );
    return { nodes, url: `redis+cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(",")}`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
