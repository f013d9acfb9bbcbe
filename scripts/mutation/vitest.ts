/**
 * Replaces `vitest` for the core's tests in a mutation run: with its `expect`, and a `test` and `describe` that declare tests for the runner in this
 * folder. Any other import from `vitest` fails when the test is loaded.
 */
export { expect } from "vitest";
export { describe, test } from "./suite.ts";
