import { askerContract, deskContract } from "@askbox/core/testing";
import { describe, test } from "vitest";
import { localPorts } from "./support.ts";

describe("the broker as an asker's port", () => {
  for (const promise of askerContract) test(promise.name, () => promise.run(localPorts));
});

describe("the broker as a desk", () => {
  for (const promise of deskContract) test(promise.name, () => promise.run(localPorts));
});
