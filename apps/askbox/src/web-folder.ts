import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Relative to the published `dist` or its `chunks`, the workspace's sources, or its `dist` before the page was copied there. */
const places = ["web", "../web", "../../web/dist", "../../../web/dist"];

/** The folder of the built web inbox; undefined if it hasn't been built. */
export function webFolder(from: string = import.meta.url): string | undefined {
  const own = fileURLToPath(new URL(".", from));
  return places.map((place) => join(own, place)).find((folder) => existsSync(join(folder, "index.html")));
}
