import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { AskboxError } from "@askbox/core";
import { quote } from "@askbox/core/schemas";
import type { HubFile } from "../files/runtime-files.ts";
import { httpText } from "./http-text.ts";

/** A live hub responds at once; this allows for a very busy machine. */
const timeout = 3_000;
const maxAnswerLength = 4_096;

/**
 * The proof in a hub's response to `/healthz?nonce=…` that it is the hub in `hub.json`: an HMAC over nonce and instance id, whose key is
 * only known to those who can read `hub.json`. So no token is sent to another program on that port, and a token's holder cannot pose as the
 * hub.
 */
export function healthProof(proofKey: string, nonce: string, instance: string): string {
  const key = createHash("sha256").update(`askbox-health${proofKey}`).digest();
  return createHmac("sha256", key).update(`${nonce}\n${instance}`).digest("hex");
}

/** Identifies a hub across its runs; public. */
export const hubIdentity = (proofKey: string): string => createHash("sha256").update(`askbox-hub${proofKey}`).digest("hex").slice(0, 32);

/**
 * `ours`: the hub of `hub.json` is running there. `older`: so it is, and of a version that proves itself only by the token that its agents
 * have too, so it gets no token. `stranger`: another program is. `silent`: nothing responds.
 */
export type HealthVerdict = "ours" | "older" | "stranger" | "silent";

/** Identifies the server at the hub's address, without sending a token. */
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
    const answer = JSON.parse(text) as { instance?: unknown; proof?: unknown };
    const expected = Buffer.from(healthProof(hub.proofKey ?? hub.askerToken, nonce, hub.instance));
    const proof = Buffer.from(typeof answer.proof === "string" ? answer.proof : "");
    if (answer.instance !== hub.instance || proof.length !== expected.length || !timingSafeEqual(proof, expected)) return "stranger";
    return hub.proofKey === undefined ? "older" : "ours";
  } catch {
    return "stranger";
  }
}

/** The error for a hub with the verdict `older`. */
export function olderHubError({ version, pid }: HubFile): AskboxError {
  return new AskboxError(
    "HUB_UNREACHABLE",
    `The hub of this home is of an older askbox (${quote(version)}, pid ${pid}) that this version can't talk to; stop it with that version's \`askbox hub stop\`, or end process ${pid}. Its questions are kept, and its database is copied before it is changed.`,
  );
}
