/** Contract suites for the ports of a hub; each is a plain list that any test framework can run, as those of `@askbox/core/testing`. */
export { type TokenStoreHarness, tokenStoreContract } from "./token-store-contract.ts";
