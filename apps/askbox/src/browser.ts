import { standardPlatform } from "@askbox/core";
import type { Io } from "./io.ts";

/** Opens a link in the person's browser; resolves with whether there is one here. */
export async function isOpened(link: string, env: Io["env"]): Promise<boolean> {
  const { openInBrowser } = await import("@askbox/notify");
  const { clock } = standardPlatform(globalThis);
  // Keeps the process running: neither a browser nor the clock's timers do.
  const alive = setInterval(() => {}, 60_000);
  try {
    return await openInBrowser(link, { env, platform: process.platform, clock });
  } finally {
    clearInterval(alive);
  }
}
