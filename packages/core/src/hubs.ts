export { severalHubs } from "./broker/several-hubs.ts";
export type { News } from "./ports/asker.ts";
export type { BegunWaking, Waker } from "./ports/waking.ts";
export type { Waking } from "./session/record.ts";
export { type WakeOptions, wakeable } from "./session/wakeable.ts";
