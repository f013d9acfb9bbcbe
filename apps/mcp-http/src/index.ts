export { type MountMcpOptions, mountMcp } from "./mount-mcp.ts";
