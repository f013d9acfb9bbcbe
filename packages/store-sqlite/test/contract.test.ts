import { durableStoreContract, severalWritersContract, storeContract } from "@askbox/core/testing";
import { describe, test } from "vitest";
import { openSqliteStore } from "../src/index.ts";
import { freshPath } from "./temp-folder.ts";

const harness = () => {
  const path = freshPath();
  const open = () => openSqliteStore({ path });
  return { open, reopen: open };
};

describe("the SQLite store", () => {
  for (const contractCase of storeContract) test(contractCase.name, () => contractCase.run(harness()));
});

describe("the SQLite store, reopened or opened twice,", () => {
  for (const contractCase of [...durableStoreContract, ...severalWritersContract])
    test(contractCase.name, () => contractCase.run(harness()));
});
