import type { Clock } from "@askbox/core";
import { loadLogin } from "../boot/login-store.ts";
import { askPush, type PushState } from "./hub-push.ts";

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
