import { writeFileSync } from "node:fs";
import { pages } from "./pages.ts";

for (const { path, shouldBe } of await pages()) writeFileSync(path, shouldBe);
