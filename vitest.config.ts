import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { LongFirst } from "./tests/setup/long-first.ts";

declare module "vitest" {
  interface TaskMeta {
    /** What is missing where the test is skipped. */
    needs?: string;
  }
}

// Packages resolve to each other's source, so that no test of a package waits for a build.
const conditions = ["askbox-source", "module", "node", "development"];

/** Tests of packages and apps are unit tests, those in tests/ are of the system, and these attack it. A file can say otherwise in its name: `x.system.test.ts`. */
const chaos = ["tests/faults", "tests/fuzz", "tests/cluster", "tests/soak", "tests/attack"].map((folder) => `${folder}/**/*.test.ts`);
const named = (tier: string) => `{packages,apps,tests}/**/*.${tier}.test.ts`;
const [unit, system, release] = [named("unit"), named("system"), named("release")];
/** Tests that render the web inbox's components. */
const dom = ["apps/web/test/**/*.test.ts", "packages/react/test/{hooks,provider}.test.ts", "tests/inbox/outcomes.unit.test.ts"];
/** The workspace's packages are linked there, and bring tests of their own. */
const installed = "**/node_modules/**";

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    // More than there are processors: most tests of the system wait for processes of their own, or for the shortest timeout that a contract allows.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongFirst },
    // One worker takes many files and loads each module once.
    isolate: false,
    // A test waits for events. This only ends one that waits in vain, on the busiest machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 15_000 } },
    // No test opens a browser or shows a notification on the machine it runs on.
    env: { ASKBOX_ATTENTION: "none" },
    /** `pnpm coverage`. What tests start as processes of their own is not counted, so the figures for the apps are too low. Raise them when a package improves. */
    coverage: {
      provider: "v8",
      include: ["packages/{*,agents/*,reach/*}/src/**/*.{ts,tsx}", "apps/*/src/**/*.{ts,tsx}"],
      reporter: ["text-summary", "json-summary"],
      reportOnFailure: true,
      thresholds: {
        "apps/askbox/**": { lines: 53, branches: 47, functions: 56 },
        "packages/hub-process/**": { lines: 27, branches: 24, functions: 29 },
        "packages/agents/mcp-http/**": { lines: 92, branches: 91, functions: 100 },
        "apps/tui/**": { lines: 65, branches: 52, functions: 62 },
        "packages/**": { lines: 95, branches: 80, functions: 90 },
        "packages/core/**": { lines: 99, branches: 96, functions: 99 },
      },
    },
    tags: [
      { name: "nightly", description: "Heavy and rarely fails: not in `pnpm test`, but in `pnpm test:nightly`." },
      {
        name: "redis",
        description:
          "Only about Redis, beyond one quick test of each promise: in `pnpm test` where scripts/redis-needs.ts says so, and in `pnpm test:nightly`.",
      },
    ],
    restoreMocks: true,
    unstubEnvs: true,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["{packages,packages/agents,packages/reach,apps}/*/test/**/*.test.ts", unit],
          exclude: [system, release, installed, ...dom],
          setupFiles: "tests/setup/unit.ts",
        },
      },
      {
        extends: true,
        // Unit tests in a DOM. A worker ends where the next file has another environment, so these are a project of their own.
        test: { name: "unit-dom", include: dom, exclude: [system, installed], environment: "happy-dom", setupFiles: "tests/setup/unit.ts" },
      },
      {
        extends: true,
        test: {
          name: "system",
          include: ["tests/**/*.test.ts", system],
          // These need the clients, which `pnpm test:clients` installs.
          exclude: [...chaos, unit, release, installed, "tests/real-clients/**"],
          globalSetup: ["tests/setup/programs.ts", "tests/setup/browser.ts"],
        },
      },
      // What guards a release: `pnpm release:check` and the workflow of main run it, and `pnpm test` does not.
      { extends: true, test: { name: "release", include: [release], exclude: [installed], globalSetup: "tests/setup/programs.ts" } },
      { extends: true, test: { name: "chaos", include: chaos, exclude: [unit, system, installed] } },
    ],
  },
});
