export { type KeptValues as Kept, type MountMcpOptions, mountMcp } from "./mount-mcp.ts";
