import { createStore, type Store } from "@askbox/react";
import { basePath } from "../base-path.ts";

const store = createStore<boolean>(false);
/** Whether a newer build than this page's has been put in place. */
export const updateReady: Store<boolean> = store;

/** Keeps the page at hand for when the hub is away, where the origin may: a secure one, or this machine's own. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !isSecureContext || !("serviceWorker" in navigator)) return;
  const { serviceWorker } = navigator;
  // The first worker takes over a page that is of its own build.
  let isFirst = serviceWorker.controller === null;
  serviceWorker.addEventListener("controllerchange", () => {
    if (!isFirst) store.setState(true);
    isFirst = false;
  });
  const register = async () => {
    try {
      await serviceWorker.register(`${basePath}/service-worker.js`, { scope: `${basePath}/`, updateViaCache: "none" });
    } catch {
      // The page works without it; it is only not there while the hub is away.
    }
  };
  if (document.readyState === "complete") void register();
  else addEventListener("load", () => void register(), { once: true });
}

/** Looks whether there is a newer build; the browser does so by itself only when a page is opened. */
export async function lookForUpdate(): Promise<void> {
  try {
    if ("serviceWorker" in navigator) await (await navigator.serviceWorker.getRegistration())?.update();
  } catch {
    // The hub is away again, and will be looked at when it is back.
  }
}

const reloadedKey = "askbox.reloaded";

/** A page whose later parts a newer build has replaced loads itself again, once; what was typed is kept. While the hub is away it stays. */
export function reloadWhenReplaced(): void {
  addEventListener("vite:preloadError", async () => {
    const last = Number(sessionStorage.getItem(reloadedKey) ?? 0);
    if (Date.now() - last < 60_000) return;
    const isThere = await fetch(`${basePath}/`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (!isThere) return;
    sessionStorage.setItem(reloadedKey, String(Date.now()));
    location.reload();
  });
}
