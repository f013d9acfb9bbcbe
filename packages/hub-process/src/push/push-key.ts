import type { SharedState } from "@askbox/core";
import { isPrivate, readJsonFile, writePrivateFile } from "@askbox/home";
import { newVapidKey, type VapidKey, vapidKeySchema } from "@askbox/notify";

const nameOfKey = "push-key";

/**
 * The key with which this home's hubs identify themselves to push services: from its file, which only its owner can read, or a new one.
 * Browsers subscribe for one key, so hubs that share an inbox share it. It is created when it is first needed; if
 * it can't be read or stored, the next call tries again.
 */
export function pushKey(path: string, shared: SharedState | undefined): () => Promise<VapidKey> {
  let key: Promise<VapidKey> | undefined;
  return () => {
    key ??= storedKey(path, shared).catch((error: unknown) => {
      key = undefined;
      throw error;
    });
    return key;
  };
}

async function storedKey(path: string, shared: SharedState | undefined): Promise<VapidKey> {
  const kept = await shared?.get(nameOfKey);
  if (kept !== undefined) return vapidKeySchema.parse(JSON.parse(kept));
  const own = vapidKeySchema.safeParse(isPrivate(path) ? readJsonFile(path) : undefined);
  const key = own.success ? own.data : newVapidKey();
  if (shared === undefined) {
    if (!own.success) writePrivateFile(path, `${JSON.stringify(key, undefined, 2)}\n`);
    return key;
  }
  if (await shared.swap(nameOfKey, undefined, JSON.stringify(key), null)) return key;
  return vapidKeySchema.parse(JSON.parse((await shared.get(nameOfKey)) ?? "null"));
}
