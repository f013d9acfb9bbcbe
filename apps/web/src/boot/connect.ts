import { standardPlatform } from "@askbox/core";
import { createForms, createInbox, type SurfaceParts } from "@askbox/react";
import { createWireClient, openWebSocket } from "@askbox/wire";
import { forgetSecret } from "./login.ts";
import { unsavedDrafts } from "./unsaved-drafts.ts";

/** The hub behind this page's own origin, and all that the hooks work on. */
export function connect(secret: string): SurfaceParts {
  const { clock, ids } = standardPlatform(globalThis);
  const client = createWireClient({
    connect: () => openWebSocket(new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`)),
    hello: { token: secret, role: "desk", surface: "web", agent: { name: "askbox-web", version: "1" } },
    clock,
    ids,
    random: () => Math.random(),
    // A page is patient: it says that the hub is away and goes on trying.
    timeout: 15_000,
  });
  const { desk } = client;
  const inbox = createInbox(desk, { clock });
  const forms = createForms({ desk, inbox, clock, unsaved: unsavedDrafts });
  client.onState((state, error) => {
    if (error?.code === "UNAUTHORIZED") forgetSecret();
    inbox.setConnection(state, error);
  });
  inbox.start();
  // Phones end pages without another word; this is the last moment to bring a draft home.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") void forms.flush();
  });
  addEventListener("pagehide", () => void forms.flush());
  return { desk, inbox, forms, clock };
}
