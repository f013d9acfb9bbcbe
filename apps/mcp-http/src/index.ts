export { type Kept, type MountMcpOptions, mountMcp } from "./mount-mcp.ts";
