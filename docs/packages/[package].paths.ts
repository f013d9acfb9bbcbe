import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packages } from "../.vitepress/pages.ts";

/** The READMEs of the packages, which say for themselves what they are. */
export default {
  watch: ["../../packages/*/README.md"],
  paths: () =>
    packages.map((name) => ({
      params: { package: name },
      content: readFileSync(join(import.meta.dirname, "../../packages", name, "README.md"), "utf8"),
    })),
};
