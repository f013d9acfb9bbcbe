import { defineConfig, mergeConfig } from "vitest/config";
import base from "../../vitest.config.ts";

const { projects: _, ...test } = base.test ?? {};

/** The real clients, which `pnpm test:clients` installs. One file at a time: they start whole programs. */
export default mergeConfig(
  { ...base, test },
  defineConfig({
    test: { include: ["tests/real-clients/**/*.test.ts"], globalSetup: ["tests/setup/programs.ts"], fileParallelism: false },
  }),
);
