import { writeFileSync } from "node:fs";
import { generatedPages } from "../tests/docs/support/generated.ts";

// pnpm docs:pages: writes the generated parts of the docs. A test checks that they match the code.
for (const { path, shouldBe } of await generatedPages()) writeFileSync(path, shouldBe);
