export { textOfAsk } from "./broker/identity.ts";
export type { Peer } from "./broker/peers.ts";
export { type AckOptions, type Collected, collected, type Given, type RelayedAsker } from "./ports/asker.ts";
export type { ClientForms } from "./ports/client-forms.ts";
export { unreplied } from "./session/thread.ts";
