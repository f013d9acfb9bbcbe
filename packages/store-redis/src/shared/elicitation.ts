import { AskboxError, silentLog } from "@askbox/core";
import { storeError } from "../redis-error.ts";
import { readRedisUrl } from "../redis-url.ts";
import { RedisServer } from "../server.ts";
import { newWrite } from "../values.ts";
import { sharedScripts } from "./shared-scripts.ts";
import { sharedValue, sharedValueOf } from "./shared-value.ts";

/** Stores what `elicit()` of `@askbox/elicit` keeps between two runs of a tool; implements its `ElicitationStore`. */
export interface RedisElicitation {
  /** The value under the key, unless there is none or it has expired. */
  get(key: string): Promise<string | undefined>;
  /**
   * Sets `next` for `ttl` ms (1 or more) if the current value is exactly `expected`; undefined means no value. Resolves with whether it
   * did.
   */
  replace(key: string, expected: string | undefined, next: string, ttl: number): Promise<boolean>;
  close(): Promise<void>;
}

export interface RedisElicitationOptions {
  /** As for `openRedisStore`. */
  url: string;
  /** Whether the process may exit while it is open and idle. Default false. */
  background?: boolean | undefined;
}

/**
 * Stores calls that wait for a person's answer on Redis, for servers with several processes. Each value expires, and writes wait for
 * durability like those of sessions, since they contain people's answers. Throws `VALIDATION` and `STORE_UNAVAILABLE` like
 * `openRedisStore`.
 */
export async function openRedisElicitation({ url, background = false }: RedisElicitationOptions): Promise<RedisElicitation> {
  const target = readRedisUrl(url);
  const keyOf = (key: string) => sharedValue.key(target.prefix, key, "elicit");
  const server = new RedisServer({ target, keys: [keyOf("")], log: silentLog, background });
  let closed = false;
  const inStore = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (closed) throw new AskboxError("STORE_UNAVAILABLE", `The store at ${target.label} is closed; open it again.`);
    try {
      return await work();
    } catch (thrown) {
      throw storeError(thrown, target.label);
    }
  };
  try {
    await server.startWithoutFeed();
  } catch (thrown) {
    await server.close();
    throw storeError(thrown, target.label);
  }
  return {
    get: (key) => inStore(async () => sharedValueOf(await server.reader.send<string | null>(["GET", keyOf(key)]))),
    replace: (key, expected, next, ttl) =>
      inStore(async () => {
        const args = [sharedValue.json(expected), sharedValue.json(next), String(Math.max(1, Math.ceil(ttl))), newWrite()];
        const [verdict] = await server.writer.run<["done"] | ["no"]>(sharedScripts.swap, args, [keyOf(key)]);
        return verdict === "done";
      }),
    async close() {
      if (closed) return;
      closed = true;
      await server.writesFinished();
      await server.close();
    },
  };
}
