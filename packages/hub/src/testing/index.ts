/** Contract suites for the hub's ports; each is a plain list that any test framework can run, like those of `@askbox/core/testing`. */
export { type TokenStoreHarness, tokenStoreContract } from "./token-store-contract.ts";
