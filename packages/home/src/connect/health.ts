import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { HubFile } from "../files/runtime-files.ts";
import { httpText } from "./http-text.ts";

/** A live hub answers at once; this is for a machine that is very busy. */
const timeout = 3_000;
const maxAnswerLength = 4_096;

/**
 * What a hub puts into `/healthz?nonce=…` to prove that it is the one `hub.json` speaks of: an HMAC over nonce and instance id, whose key
 * only those know who can read `hub.json`. So no token is shown to a stranger that has taken the port, and whoever was given a token cannot pose as the hub.
 */
export function healthProof(proofKey: string, nonce: string, instance: string): string {
  const key = createHash("sha256").update(`askbox-health${proofKey}`).digest();
  return createHmac("sha256", key).update(`${nonce}\n${instance}`).digest("hex");
}

/** Names a hub across its runs; anybody may know it. */
export const hubIdentity = (proofKey: string): string => createHash("sha256").update(`askbox-hub${proofKey}`).digest("hex").slice(0, 32);

/** `ours`: the hub of `hub.json` runs there. `stranger`: something else does. `silent`: nothing answers. */
export type HealthVerdict = "ours" | "stranger" | "silent";

/** Asks who answers at the hub's address; shows no token. */
export async function checkHealth(hub: HubFile, signal?: AbortSignal): Promise<HealthVerdict> {
  const nonce = randomBytes(16).toString("hex");
  let text: string;
  try {
    const { fingerprint } = hub;
    ({ text } = await httpText(new URL(`/healthz?nonce=${nonce}`, hub.url), { timeout, longest: maxAnswerLength, fingerprint, signal }));
  } catch {
    return "silent";
  }
  try {
    if (hub.proofKey === undefined) return "stranger";
    const answer = JSON.parse(text) as { instance?: unknown; proof?: unknown };
    const expected = Buffer.from(healthProof(hub.proofKey, nonce, hub.instance));
    const given = Buffer.from(typeof answer.proof === "string" ? answer.proof : "");
    return answer.instance === hub.instance && given.length === expected.length && timingSafeEqual(given, expected) ? "ours" : "stranger";
  } catch {
    return "stranger";
  }
}
