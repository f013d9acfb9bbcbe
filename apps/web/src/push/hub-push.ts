import type { Clock } from "@askbox/core";
import { basePath } from "../base-path.ts";
import { signed } from "../boot/signed.ts";

/** A browser that gets pushes. */
interface PushBrowser {
  id: string;
  name: string;
  person?: string;
  /** Whether an action may be allowed from its notifications. */
  allow: boolean;
  /** Whether it is this one. */
  current: boolean;
}

export interface PushState {
  /** The hub's public key, for a subscription. */
  key: string;
  browsers: readonly PushBrowser[];
}

export type PushRequest =
  | { do: "read" }
  | { do: "on"; subscription: PushSubscriptionJSON; allow: boolean }
  /** Without an id, this browser. */
  | { do: "off"; id?: string };

/**
 * Asks the hub, signed with the key of this browser's login. Undefined if there is no login, or the hub sends no pushes. Throws an error whose
 * message can be shown.
 */
export async function askPush(clock: Clock, request: PushRequest): Promise<PushState | undefined> {
  // Signed again with the hub's time if this browser's clock is wrong.
  for (let at = clock.now(), isLast = false; ; isLast = true) {
    const body = await signed(JSON.stringify(request), at);
    if (body === undefined) return undefined;
    const response = await fetch(`${basePath}/push`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (response.status === 204) return undefined;
    const told = (await response.json()) as PushState | { now: number } | { detail?: string };
    if (!response.ok) throw new Error("detail" in told ? told.detail : response.statusText);
    if ("key" in told) return told;
    if (isLast || !("now" in told)) throw new Error("The hub's answer makes no sense.");
    at = told.now;
  }
}
