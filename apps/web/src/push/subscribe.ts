/** Pushes to this browser, which come though no page is open: turned on and off, renewed with each login, and ended with it. */
import type { Clock } from "@askbox/core";
import { basePath } from "../base-path.ts";
import { signed } from "../boot/signed.ts";
import { loadLogin } from "../boot/stored-login.ts";

/** Milliseconds: `subscribe` may never answer, for example where a firewall stops the browser's push service. */
const timeout = 30_000;
/** Remembers what this browser has subscribed with: its login's id, and the address of its push service. */
const subscribedKey = "askbox.push";

/** What the browser can do; `install`: iOS has pushes only for a page that was added to the Home Screen. */
export type PushPower = "ready" | "denied" | "insecure" | "install" | "missing";

export function pushPower(): PushPower {
  if (!isSecureContext) return "insecure";
  if ("standalone" in navigator && navigator.standalone === false && !("PushManager" in globalThis)) return "install";
  if (!("serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis)) return "missing";
  return Notification.permission === "denied" ? "denied" : "ready";
}

/** Subscribes this browser. Asks for permission, so call it while the person clicks. Undefined if they refused. */
export async function turnPushOn(clock: Clock, key: string, allow: boolean): Promise<PushState | undefined> {
  if ((await Notification.requestPermission()) !== "granted") return undefined;
  const subscription = (await subscribe(clock, key)).toJSON();
  const state = await askPush(clock, { do: "on", subscription, allow });
  await remember(subscription.endpoint);
  return state;
}

/** Ends the pushes to this browser. */
export async function turnPushOff(clock: Clock): Promise<PushState | undefined> {
  const state = await askPush(clock, { do: "off" });
  await forgetPush();
  return state;
}

/** Ends this browser's subscription, without the hub: its login has ended. */
export async function forgetPush(): Promise<void> {
  localStorage.removeItem(subscribedKey);
  const registration = await navigator.serviceWorker?.getRegistration();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}

/** Browsers replace a subscription once in a while: tells the hub of the new one, unless the pushes were turned off from elsewhere. */
export async function keepPush(clock: Clock): Promise<void> {
  const before = localStorage.getItem(subscribedKey);
  if (before === null || pushPower() !== "ready" || Notification.permission !== "granted") return;
  const state = await askPush(clock, { do: "read" });
  if (state === undefined) return;
  const subscription = (await subscribe(clock, state.key)).toJSON();
  const own = state.browsers.find(({ current }) => current);
  if (before === (await nameOf(subscription.endpoint))) {
    if (own === undefined) await forgetPush();
    return;
  }
  await askPush(clock, { do: "on", subscription, allow: own?.allow ?? false });
  await remember(subscription.endpoint);
}

const nameOf = async (endpoint = "") => `${(await loadLogin())?.id} ${endpoint}`;
const remember = async (endpoint: string | undefined) => localStorage.setItem(subscribedKey, await nameOf(endpoint));

/** The present subscription, or a new one for the hub's key. */
async function subscribe(clock: Clock, key: string): Promise<PushSubscription> {
  const { pushManager } = await inTime(clock, navigator.serviceWorker.ready);
  const present = await pushManager.getSubscription();
  if (present !== null && textOf(present.options.applicationServerKey) === key) return present;
  await present?.unsubscribe();
  return inTime(clock, pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
}

const textOf = (key: ArrayBuffer | null): string =>
  btoa(String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

function inTime<Value>(clock: Clock, promise: Promise<Value>): Promise<Value> {
  const late = new Promise<never>((_, reject) =>
    clock.setTimer(timeout, () => reject(new Error(`The browser's push service did not answer in ${timeout / 1_000} s.`))),
  );
  return Promise.race([promise, late]);
}

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

type PushRequest =
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
