import { writeFileSync } from "node:fs";
import { serverJsonText } from "./server-json.ts";

writeFileSync(new URL("../../../server.json", import.meta.url), serverJsonText());
