import { defineConfig } from "vitest/config";

const conditions = ["askbox-source", "module", "node", "development"];

/** For `pnpm mutation`. The contract suites' own test takes longer than all others together. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/store-contract.test.ts"],
    setupFiles: ["test/mutation-setup.ts"],
    isolate: false,
  },
});
