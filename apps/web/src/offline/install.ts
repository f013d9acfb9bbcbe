/** The page as an installed program: its service worker, newer builds of it, and the browser's offer to install it. */
import type { Clock } from "@askbox/core";
import { createStore, type Store } from "@askbox/inbox";
import { basePath } from "../base-path.ts";

const store = createStore<boolean>(false);
/** Whether a newer build than this page's is available. */
export const updateReady: Store<boolean> = store;

/** Caches the page for when the hub is away, if the origin allows it: a secure one, or this machine. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !isSecureContext || !("serviceWorker" in navigator)) return;
  const { serviceWorker } = navigator;
  // The first worker takes over a page of the same build.
  let isFirst = serviceWorker.controller === null;
  serviceWorker.addEventListener("controllerchange", () => {
    if (!isFirst) store.setState(true);
    isFirst = false;
  });
  const register = async () => {
    try {
      await serviceWorker.register(`${basePath}/service-worker.js`, { scope: `${basePath}/`, updateViaCache: "none" });
    } catch {
      // The page works without it, just not while the hub is away.
    }
  };
  if (document.readyState === "complete") void register();
  else addEventListener("load", () => void register(), { once: true });
}

/** Checks for a newer build; browsers only do so when a page is opened. */
export async function checkForUpdate(): Promise<void> {
  try {
    if ("serviceWorker" in navigator) await (await navigator.serviceWorker.getRegistration())?.update();
  } catch {
    // The hub is away again; the check is repeated when it is back.
  }
}

const reloadedKey = "askbox.reloaded";

/** Reloads the page once if a newer build has replaced its chunks; input is kept. Does nothing while the hub is away. */
export function reloadWhenReplaced(clock: Clock): void {
  addEventListener("vite:preloadError", async () => {
    const last = Number(sessionStorage.getItem(reloadedKey) ?? 0);
    if (clock.now() - last < 60_000) return;
    const isThere = await fetch(`${basePath}/`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (!isThere) return;
    sessionStorage.setItem(reloadedKey, String(clock.now()));
    location.reload();
  });
}

/** The event that Chromium sends to an installable page; other browsers have a menu item. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

/** The browser's offer to install the page, which comes soon after the page opens, until it is used. */
export const installOffer = createStore<InstallPrompt | undefined>(undefined);

export function keepInstallOffer(): void {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    installOffer.setState(event as InstallPrompt);
  });
  addEventListener("appinstalled", () => installOffer.setState(undefined));
}
