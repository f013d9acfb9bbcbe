import type { WakeWay } from "./port.ts";

/**
 * The plugin in OpenCode's server knows which conversation got which ticket. While it is open, the plugin's hook waits at the hub; what it brings becomes a
 * message of the user, at once or in the running turn. Nothing outside the plugin can see what a conversation does.
 */
export const opencodeWay: WakeWay = {
  client: "opencode",
  listens: "message",
  risk: "A second process with the conversation makes turns of its own, and a terminal that is open doesn't show them.",
};
