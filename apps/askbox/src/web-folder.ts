import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Seen from the published `dist` or its `chunks`, then from the workspace's sources, then from its `dist` before the page was copied there. */
const places = ["web", "../web", "../../web/dist", "../../../web/dist"];

/** The folder of the built web inbox; nothing in a workspace where it was not built yet. */
export function webFolder(from: string = import.meta.url): string | undefined {
  const own = fileURLToPath(new URL(".", from));
  return places.map((place) => join(own, place)).find((folder) => existsSync(join(folder, "index.html")));
}
