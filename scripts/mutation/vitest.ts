/**
 * What the core's tests get for `vitest` in a mutation run: its `expect`, and a `test` and `describe` that declare for the runner beside
 * this file. Whatever else a test imports from `vitest` is missing here, and says so when it is loaded.
 */
export { expect } from "vitest";
export { describe, test } from "./suite.ts";
