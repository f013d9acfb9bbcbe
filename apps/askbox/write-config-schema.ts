import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { configJsonSchema } from "@askbox/home";

// pnpm --filter askbox schema: writes the schema that is published with the command. A test holds it equal to the settings.
writeFileSync(join(import.meta.dirname, "config.schema.json"), `${JSON.stringify(configJsonSchema(), undefined, 2)}\n`);
