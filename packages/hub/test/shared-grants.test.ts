import { sharedMemory } from "@askbox/core/stores";
import { aGrant, fakeClock, grantsContract } from "@askbox/core/testing";
import { sharedGrants } from "@askbox/hub";
import { expect, test } from "vitest";

for (const promise of grantsContract) {
  test(`of several hubs: ${promise.name}`, () =>
    promise.run({
      async open() {
        const shared = sharedMemory(fakeClock()).open();
        return { grants: sharedGrants(shared), close: () => shared.close() };
      },
    }));
}

test("share a grant and its revocation", async () => {
  const shared = sharedMemory(fakeClock()).open();
  const [one, other] = [sharedGrants(shared), sharedGrants(shared)];
  await one.add(aGrant());
  expect(await other.list()).toEqual([aGrant()]);
  await other.remove("grant-1");
  expect(await one.list()).toEqual([]);
  await shared.close();
});
