import { defineConfig } from "vitest/config";

const conditions = ["askbox-source", "module", "node", "development"];

/** The core's tests as the mutation run needs them: nothing outside this folder. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: { include: ["test/**/*.test.ts"], testTimeout: 10_000, isolate: false, pool: "threads" },
});
