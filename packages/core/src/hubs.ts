export { severalHubs } from "./broker/several-hubs.ts";
export { type WakeOptions, wakeable } from "./session/wakeable.ts";
