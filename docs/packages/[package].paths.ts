import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolders } from "../.vitepress/pages.ts";

/** The READMEs of the packages, which say for themselves what they are. */
export default {
  watch: ["../../packages/{*,agents/*,reach/*}/README.md"],
  paths: () =>
    [...packageFolders].map(([name, folder]) => ({
      params: { package: name },
      content: readFileSync(join(import.meta.dirname, "../../packages", folder, "README.md"), "utf8"),
    })),
};
