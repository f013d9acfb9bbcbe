import { writeFileSync } from "node:fs";
import { generatedPages } from "../tests/docs/support/generated.ts";

// pnpm docs:pages: writes the parts of the docs that say what the code says. A test holds them equal to it.
for (const { path, shouldBe } of await generatedPages()) writeFileSync(path, shouldBe);
