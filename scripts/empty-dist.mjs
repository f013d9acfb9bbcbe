import { rmSync } from "node:fs";

// For a package's build, in its folder: tsc leaves output of deleted sources behind, which turbo would keep.
rmSync("dist", { recursive: true, force: true });
