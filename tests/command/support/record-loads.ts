import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";

/** Loaded before a program with `node --import`: records its modules, one per line, in the file named by RECORD_LOADS. */
const file = process.env["RECORD_LOADS"] ?? "";
registerHooks({
  load(url, context, nextLoad) {
    appendFileSync(file, `${url}\n`);
    return nextLoad(url, context);
  },
});
