import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "./runner.ts";

/** Whether this is WSL, where the person's desktop is Windows. */
export function isWsl(env: Environment, platform: NodeJS.Platform): boolean {
  return platform === "linux" && Boolean(env["WSL_DISTRO_NAME"] || env["WSL_INTEROP"]);
}

/** Whether this process was started from another machine. */
export function isRemote(env: Environment): boolean {
  return Boolean(env["SSH_CONNECTION"] || env["SSH_CLIENT"] || env["SSH_TTY"]);
}

/**
 * The environment with the variables of the person's Linux desktop filled in if missing: MCP clients drop them from their servers, and so
 * from a hub that such a server starts. Their values are defined by systemd (`/run/user/UID`) and the D-Bus specification (`bus` in it).
 */
export function withDesktop(
  env: Environment,
  platform: NodeJS.Platform,
  standard = `/run/user/${process.getuid?.() ?? ""}`,
): Record<string, string | undefined> {
  const runtime = env["XDG_RUNTIME_DIR"] || standard;
  if (platform !== "linux" || !isOurFolder(runtime)) return { ...env };
  const filled: Record<string, string | undefined> = { ...env, XDG_RUNTIME_DIR: runtime };
  const entries = readdirSync(runtime);
  if (!env["DBUS_SESSION_BUS_ADDRESS"] && entries.includes("bus")) filled["DBUS_SESSION_BUS_ADDRESS"] = `unix:path=${join(runtime, "bus")}`;
  const wayland = entries.filter((entry) => /^wayland-\d+$/.test(entry)).sort()[0];
  if (!env["WAYLAND_DISPLAY"] && !env["DISPLAY"] && wayland !== undefined) filled["WAYLAND_DISPLAY"] = wayland;
  return filled;
}

function isOurFolder(folder: string): boolean {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.getuid?.();
}
