import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";

/** Loaded before a program by `node --import`: notes each of its modules, a line each, in the file that RECORD_LOADS names. */
const file = process.env["RECORD_LOADS"] ?? "";
registerHooks({
  load(url, context, nextLoad) {
    appendFileSync(file, `${url}\n`);
    return nextLoad(url, context);
  },
});
