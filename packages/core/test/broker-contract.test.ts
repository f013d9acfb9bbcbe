import { askerContract, deskContract } from "@askbox/core/testing";
import { describe, test } from "vitest";
import { clusterPorts, localPorts } from "./support.ts";

describe.each([
  ["the broker", localPorts],
  ["one of three brokers over one store, each port at another,", clusterPorts],
])("%s", (_name, ports) => {
  describe("as an asker", () => {
    for (const promise of askerContract) test(promise.name, () => promise.run(ports));
  });

  describe("as a desk", () => {
    for (const promise of deskContract) test(promise.name, () => promise.run(ports));
  });
});
