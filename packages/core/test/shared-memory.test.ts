import { sharedMemory } from "@askbox/core/stores";
import { fakeClock, sharedContract } from "@askbox/core/testing";
import { describe, test } from "vitest";

describe("the shared memory of brokers in one process", () => {
  for (const promise of sharedContract) {
    test(promise.name, () => {
      const clock = fakeClock();
      const memory = sharedMemory(clock);
      return promise.run({
        open: async () => memory.open(),
        pass: (ms) => clock.advance(ms),
        async until(condition) {
          for (let turn = 0; turn < 100; turn += 1) {
            if (await condition()) return;
            await clock.advance(0);
          }
          throw new Error("What was waited for never happened.");
        },
      });
    });
  }
});
