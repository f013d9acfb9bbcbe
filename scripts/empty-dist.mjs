import { rmSync } from "node:fs";

// For a package's build, in its folder: tsc leaves what an earlier build made of files that are gone, and turbo would keep it.
rmSync("dist", { recursive: true, force: true });
