import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { AskboxError, isAskboxError, type Log, silentLog } from "@askbox/core";
import { quote } from "@askbox/core/schemas";
import type { WireClient } from "@askbox/wire";
import { homeFolders } from "../files/folders.ts";
import { type HubFile, readHubFile } from "../files/runtime-files.ts";
import { httpText } from "./probe-hub.ts";

/**
 * Whether the program on a hub's port is this home's hub, and of which version. It proves that it knows the home's secret by an HMAC over
 * a nonce, so that a token is never sent to a stranger. An older hub that nobody uses is told to end, so that the caller can start its
 * own; one that is in use goes on, and a sentence says so.
 */

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
type HealthVerdict = "ours" | "older" | "stranger" | "silent";

/** Identifies the server at the hub's address, without sending a token. */
export async function checkHealth(hub: HubFile, signal?: AbortSignal): Promise<HealthVerdict> {
  const nonce = randomBytes(16).toString("hex");
  let text: string;
  try {
    const { fingerprint } = hub;
    ({ text } = await httpText(hub.url, `/healthz?nonce=${nonce}`, { timeout, longest: maxAnswerLength, fingerprint, signal }));
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

/** How long to wait for a hub to stop, in ms: its own limit of 5 s plus a margin for a busy machine. */
const stopDeadline = 8_000;

/** The part of a hub's status that decides whether it may be replaced. */
interface HubState {
  foreground?: unknown;
  pending?: unknown;
  askers?: unknown;
  surfaces?: unknown;
}

export interface ReplaceOptions {
  hub: HubFile;
  /** This program's version. */
  version: string;
  /** Connects to that hub as a desk, with this protocol or the package's own. */
  connectDesk(protocol: number | undefined): Promise<WireClient>;
  env: Readonly<Record<string, string | undefined>>;
  /** Called with one sentence on why the older hub keeps running. */
  notice?: ((sentence: string) => void) | undefined;
  log?: Log | undefined;
}

/** Whether the first version is older than the second; only the three numbers are compared. */
export function isOlder(one: string, other: string): boolean {
  const [a, b] = [numbersOf(one), numbersOf(other)];
  const differing = a.findIndex((number, index) => number !== b[index]);
  return differing >= 0 && (a[differing] ?? 0) < (b[differing] ?? 0);
}

/**
 * Stops an unused hub of an older version, so that the caller can start its own; returns true once it has exited. A hub that is in use, or
 * runs in a terminal, keeps running.
 */
export async function replaceOlderHub({ hub, version, connectDesk, env, notice, log = silentLog }: ReplaceOptions): Promise<boolean> {
  const goesOn = (why: string, advice: string) => {
    notice?.(`The hub is of askbox ${hub.version} and this is ${version}; ${why}, so it keeps running. ${advice}`);
    return false;
  };
  let client: WireClient | undefined;
  try {
    client = await greet(connectDesk);
    const state = (await client.control.status()) as HubState;
    if (state.foreground !== false) return goesOn("it is run in a terminal", "Restart it there when convenient.");
    if (!isIdle(state)) return goesOn("it is in use", "After `askbox hub stop` the next command starts the newer one.");
    await client.control.stop();
  } catch (error) {
    log("debug", "An older hub could not be replaced", { error: String(error) });
    return goesOn("it could not be stopped", "`askbox hub stop` ends it.");
  } finally {
    client?.close();
  }
  await untilGone(hub, env);
  return true;
}

/** An old hub may not speak the current protocol, so it is stopped with its own. */
async function greet(connectDesk: ReplaceOptions["connectDesk"]): Promise<WireClient> {
  try {
    return await connectDesk(undefined);
  } catch (error) {
    const served = isAskboxError(error, "PROTOCOL_MISMATCH") ? error.details?.["protocols"] : undefined;
    if (!Array.isArray(served) || served.length === 0) throw error;
    return connectDesk(Math.max(...served.map(Number)));
  }
}

/** The only connected desk is this one. */
function isIdle({ pending, askers, surfaces }: HubState): boolean {
  return pending === 0 && askers === 0 && Array.isArray(surfaces) && surfaces.length <= 1;
}

/** Resolves when the hub has exited, or another has taken its place. Throws `HUB_UNREACHABLE` if it keeps running. */
export async function untilGone(hub: Pick<HubFile, "instance">, env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const folders = homeFolders({ env });
  const deadline = performance.now() + stopDeadline;
  while (performance.now() < deadline) {
    const present = readHubFile(folders);
    if (present?.instance !== hub.instance || (await checkHealth(present)) === "silent") return;
    await pause(20);
  }
  throw new AskboxError("HUB_UNREACHABLE", "The hub was told to stop but is still running; end its process, whose id is in hub.json.");
}

function numbersOf(version: string): number[] {
  return (/^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? []).slice(1).map(Number);
}
