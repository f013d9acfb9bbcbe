import type { AttentionMode } from "./channels/index.ts";
import { isRemote, isWsl } from "./run/desktop.ts";
import type { Environment } from "./run/runner.ts";

/** The default mode: `browser` on a desktop, `none` without a display or over SSH. */
export function defaultAttention({ env, platform }: { env: Environment; platform: NodeJS.Platform }): AttentionMode {
  if (isRemote(env)) return "none";
  const isDesktop = platform === "darwin" || platform === "win32" || isWsl(env, platform);
  return isDesktop || env["DISPLAY"] || env["WAYLAND_DISPLAY"] ? "browser" : "none";
}
