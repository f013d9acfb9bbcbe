/**
 * From a login to everything that the page needs: the connection to its hub, an inbox and forms over it, devices and grants.
 *
 * What can go wrong: the hub is away (the connection tries again, and drafts are kept in this browser), it says why it has closed the connection
 * (`useBye`), and the browser ends the page without warning (drafts are sent as soon as it is hidden).
 */
import type { Platform } from "@askbox/core";
import { type Askbox, createAskbox, createStore, type UnsavedDraft, type UnsavedDrafts } from "@askbox/inbox";
import { type BrowserLogin, byeReasons, createWireClient, openWebSocket, type WireClient } from "@askbox/wire";
import { useSyncExternalStore } from "react";
import { basePath } from "../base-path.ts";
import { type Devices, devicesOf, type PageGrants } from "../settings/devices.ts";
import { hexOf, loadLogin, mac, type StoredLogin, saveLogin } from "./stored-login.ts";

/** Everything the page needs. */
export type PageParts = Askbox & { devices: Devices; grants: PageGrants };

const page = { role: "desk", surface: "web", agent: { name: "askbox-web", version: "1" } } as const;

/**
 * The hub at this page's origin. With a login, it proves its identity before the page shows or sends anything. Without one, the page uses the
 * session of the program around the hub, whose cookie the browser sends.
 */
export function connect(first: StoredLogin | undefined, { clock, ids }: Platform): PageParts {
  const client = createWireClient({
    connect: () => openWebSocket(new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${basePath}/ws`)),
    // Read on each connection, since another tab may have logged in again.
    hello: async () => (first === undefined ? { token: "", ...page } : { login: proverOf((await loadLogin()) ?? first), ...page }),
    clock,
    ids,
    random: () => Math.random(),
    // The page shows that the hub is away, and keeps trying.
    timeout: 15_000,
  });
  client.onState((state) => {
    if (state === "open" || state === "lost") noteBye(client.failure()?.details?.["bye"]);
    if (state === "open" && first !== undefined) void endFormer(client);
  });
  // As many rows as a tall screen has.
  const firstPage = 50;
  const askbox = createAskbox({ desk: client.desk, connection: client, clock, unsaved: unsavedDrafts, firstPage });
  const { inbox, forms } = askbox;
  // Before React renders, so that the sessions arrive sooner.
  inbox.start();
  // Phones end pages without warning, so this is the last chance to save a draft.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") void forms.flush();
  });
  addEventListener("pagehide", () => void forms.flush());
  return { ...askbox, devices: devicesOf(client, first !== undefined), grants: { ...client.grants, ran: client.ran.list } };
}

const proverOf = ({ id, hub, key }: StoredLogin): BrowserLogin => ({
  id,
  hub,
  origin: location.origin,
  nonce: () => hexOf(crypto.getRandomValues(new Uint8Array(16))),
  mac: (text) => mac(key, text),
});

/** Ends this browser's previous login, so that it is only listed once. */
async function endFormer(client: WireClient): Promise<void> {
  const login = await loadLogin();
  if (login?.former === undefined) return;
  try {
    await client.devices.revoke(login.former);
    await saveLogin({ ...login, former: undefined });
  } catch {
    // The old login stays in the list until somebody ends it or it expires.
  }
}

const store = createStore<keyof typeof byeReasons | undefined>(undefined);

/** Why the hub closed the connection on purpose, if it told. */
function noteBye(reason: unknown): void {
  store.setState(reason === byeReasons.stopped ? "stopped" : reason === byeReasons.ended ? "ended" : undefined);
}

export const useBye = (): keyof typeof byeReasons | undefined => useSyncExternalStore(store.subscribe, store.getState);

const prefix = "askbox.unsaved.";

/** Stores unsaved input in this browser, so that a reload without a hub loses nothing. */
const unsavedDrafts: UnsavedDrafts = {
  load(sessionId) {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(prefix + sessionId) ?? "null");
      return isUnsaved(stored) ? stored : undefined;
    } catch {
      return undefined;
    }
  },
  save(sessionId, unsaved) {
    try {
      localStorage.setItem(prefix + sessionId, JSON.stringify(unsaved));
    } catch {
      // Storage is full or forbidden; the hub still gets the draft.
    }
  },
  remove(sessionId) {
    localStorage.removeItem(prefix + sessionId);
  },
};

function isUnsaved(value: unknown): value is UnsavedDraft {
  return typeof value === "object" && value !== null && "patch" in value && "at" in value && typeof value.at === "number";
}
