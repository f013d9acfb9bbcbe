import { basePath } from "../base-path.ts";
import { mac as sign } from "../boot/login-key.ts";
import { loadLogin } from "../boot/login-store.ts";

/** A browser that gets pushes. */
export interface PushBrowser {
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
export async function askPush(request: PushRequest): Promise<PushState | undefined> {
  const login = await loadLogin();
  if (login === undefined) return undefined;
  const { origin } = location;
  // Signed again with the hub's time if this browser's clock is wrong.
  for (let at = Date.now(), isLast = false; ; isLast = true) {
    const text = JSON.stringify({ at, ...request });
    const mac = await sign(login.key, JSON.stringify(["askbox login: request", login.hub, origin, login.id, text]));
    const response = await fetch(`${basePath}/push`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: login.id, origin, text, mac }),
    });
    if (response.status === 204) return undefined;
    const told = (await response.json()) as PushState | { now: number } | { detail?: string };
    if (!response.ok) throw new Error("detail" in told ? told.detail : response.statusText);
    if ("key" in told) return told;
    if (isLast || !("now" in told)) throw new Error("The hub's answer makes no sense.");
    at = told.now;
  }
}
