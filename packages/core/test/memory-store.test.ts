import { describe, test } from "vitest";
import { memoryStore } from "../src/index.ts";
import { storeContract } from "../src/testing/index.ts";

describe("the memory store", () => {
  for (const contractCase of storeContract) {
    test(contractCase.name, () => contractCase.run({ open: async () => memoryStore() }));
  }
});
