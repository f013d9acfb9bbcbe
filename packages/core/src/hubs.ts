export { severalHubs } from "./broker/several-hubs.ts";
