import { expect } from "vitest";
import type { DeviceRecord, DeviceStorage } from "../src/index.ts";
import { startHub, type TestHub } from "./support.ts";

const page = new URL(".", import.meta.url).pathname;
/** A hub with a page. */
export const start = (options: Parameters<typeof startHub>[0] = {}) => startHub({ web: page, ...options });

export interface Browser {
  cookie: string;
  secret: string;
  id: string;
  /** The identity that the hub reported. */
  hub: string;
  /** Both halves, as sent by the page's own requests. */
  headers: Record<string, string>;
}

export const newCode = async (hub: TestHub): Promise<string> => (await hub.call("POST", "/auth/codes", { as: "desk" })).body.code;

export async function logIn(hub: TestHub, device = "Firefox on Linux", headers: Record<string, string> = {}): Promise<Browser> {
  const answer = await hub.call("POST", "/auth/login", { headers, body: { code: await newCode(hub), device } });
  expect(answer.status).toBe(200);
  const [set = ""] = answer.headers["set-cookie"] ?? [];
  const [cookie = ""] = set.split(";");
  const { secret, hub: identity, device: seen } = answer.body;
  return { cookie, secret, id: seen.id, hub: identity, headers: { cookie, authorization: `Bearer ${secret}` } };
}

/** Storage whose contents a test can inspect and pass to another hub. */
export function storage(): DeviceStorage & { kept: readonly DeviceRecord[]; saves: number } {
  const made = {
    kept: [] as readonly DeviceRecord[],
    saves: 0,
    load: () => made.kept,
    save(devices: readonly DeviceRecord[]) {
      made.kept = structuredClone(devices) as DeviceRecord[];
      made.saves += 1;
    },
  };
  return made;
}
