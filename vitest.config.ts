import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// Packages resolve to each other's source, so that no test of a package waits for a build.
const conditions = ["askbox-source", "module", "node", "development"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "apps/*/test/**/*.test.ts", "tests/**/*.test.ts"],
    globalSetup: "tests/setup/programs.ts",
    // Most tests wait for processes of their own, so that two files at once pay on any machine.
    maxWorkers: Math.max(2, availableParallelism()),
    // One process too slow among thousands does not stop everybody; the report names what needed a second try, and that is a bug to fix.
    retry: 1,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // No test opens a browser or shows a notification on the machine it runs on.
    env: { ASKBOX_ATTENTION: "none" },
    restoreMocks: true,
    unstubEnvs: true,
  },
});
