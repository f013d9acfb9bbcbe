import { cp } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Plugin } from "rolldown";

const built = fileURLToPath(new URL("../web/dist", import.meta.url));

/** Puts the web inbox, which turbo has built before, into the command's own dist: the published package holds it. */
export function copyWeb(): Plugin {
  return {
    name: "copy-web",
    writeBundle: ({ dir = "dist" }) => cp(built, `${dir}/web`, { recursive: true }),
  };
}
