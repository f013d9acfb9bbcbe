import type { Platform } from "@askbox/core";
import { type Askbox, createAskbox } from "@askbox/inbox";
import { type BrowserLogin, createWireClient, openWebSocket, type WireClient } from "@askbox/wire";
import { basePath } from "../base-path.ts";
import { type Devices, devicesOf } from "../settings/devices.ts";
import type { PageGrants } from "../settings/grants.ts";
import { noteBye } from "./bye.ts";
import { hexOf, mac } from "./login-key.ts";
import { loadLogin, type StoredLogin, saveLogin } from "./login-store.ts";
import { unsavedDrafts } from "./unsaved-drafts.ts";

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
  return { ...askbox, devices: devicesOf(client, first !== undefined), grants: client.grants };
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
