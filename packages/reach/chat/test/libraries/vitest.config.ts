import { defineConfig, mergeConfig } from "vitest/config";
import base from "../../../../../vitest.config.ts";

const { projects: _, ...test } = base.test ?? {};

/** The chat services' libraries, which `pnpm test:chat-libraries` installs. */
export default mergeConfig({ ...base, test }, defineConfig({ test: { include: ["packages/reach/chat/test/libraries/*.check.ts"] } }));
