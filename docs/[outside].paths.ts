import { readFileSync } from "node:fs";
import { join } from "node:path";
import { outside } from "./.vitepress/pages.ts";

/** The pages whose files stand elsewhere in the workspace. */
export default {
  watch: Object.keys(outside).map((file) => `../${file}`),
  paths: () =>
    Object.entries(outside)
      .filter(([, page]) => !page.includes("/"))
      .map(([file, page]) => ({
        params: { outside: page },
        content: readFileSync(join(import.meta.dirname, "..", file), "utf8"),
      })),
};
