import { standardPlatform } from "@askbox/core";
import { type Askbox, createAskbox } from "@askbox/react";
import { type BrowserLogin, createWireClient, openWebSocket, type WireClient } from "@askbox/wire";
import { basePath } from "../base-path.ts";
import { type Devices, devicesOf } from "../settings/devices.ts";
import type { PageGrants } from "../settings/grants.ts";
import { hexOf, mac } from "./login-key.ts";
import { loadLogin, type StoredLogin, saveLogin } from "./login-store.ts";
import { unsavedDrafts } from "./unsaved-drafts.ts";

/** All that the page works on. */
export type PageParts = Askbox & { devices: Devices; grants: PageGrants };

/** The hub behind this page's own origin. It proves itself before the page shows or sends anything. */
export function connect(first: StoredLogin): PageParts {
  const { clock, ids } = standardPlatform(globalThis);
  const client = createWireClient({
    connect: () => openWebSocket(new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${basePath}/ws`)),
    // Read again each time: another tab may have logged in again.
    hello: async () => ({
      login: proverOf((await loadLogin()) ?? first),
      role: "desk",
      surface: "web",
      agent: { name: "askbox-web", version: "1" },
    }),
    clock,
    ids,
    random: () => Math.random(),
    // A page is patient: it says that the hub is away and goes on trying.
    timeout: 15_000,
  });
  client.onState((state) => {
    if (state === "open") void endFormer(client);
  });
  const askbox = createAskbox({ desk: client.desk, connection: client, clock, unsaved: unsavedDrafts });
  const { inbox, forms } = askbox;
  // Before React draws, so that the sessions come sooner.
  inbox.start();
  // Phones end pages without another word; this is the last moment to bring a draft home.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") void forms.flush();
  });
  addEventListener("pagehide", () => void forms.flush());
  return { ...askbox, devices: devicesOf(client), grants: client.grants };
}

const proverOf = ({ id, hub, key }: StoredLogin): BrowserLogin => ({
  ...{ id, hub, origin: location.origin },
  nonce: () => hexOf(crypto.getRandomValues(new Uint8Array(16))),
  mac: (text) => mac(key, text),
});

/** A browser that has logged in again is listed once. */
async function endFormer(client: WireClient): Promise<void> {
  const login = await loadLogin();
  if (login?.former === undefined) return;
  try {
    await client.devices.revoke(login.former);
    await saveLogin({ ...login, former: undefined });
  } catch {
    // It is listed until somebody ends it, or nobody has used it for long.
  }
}
