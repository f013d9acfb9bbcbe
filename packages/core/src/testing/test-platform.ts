import { createIds, type Digest, type Ids, type Platform } from "../ports/platform.ts";
import { type FakeClock, type FakeClockOptions, fakeClock } from "./fake-clock.ts";

/** Ids that are the same in every run with the same seed. For tests only: they can be guessed. */
export function seededIds(seed = 1): Ids {
  let state = seed >>> 0;
  // mulberry32: small, and good enough that ids of one run never collide.
  const nextByte = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) & 0xff;
  };
  return createIds({ bytes: (count) => Uint8Array.from({ length: count }, nextByte) });
}

/** Odd multipliers, one for each 32-bit lane, so that the lanes collide independently. */
const lanes = [0x01000193, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f, 0x165667b1, 0x9e3779b1, 0xcc9e2d51, 0x1b873593];

/**
 * A digest in the format of SHA-256's (64 hex characters), for tests only: equal texts have equal digests, and different texts have
 * different ones except for deliberate collisions.
 */
export const testDigest: Digest = async (text) =>
  lanes
    .map((multiplier, lane) => {
      let hash = (0x811c9dc5 ^ multiplier ^ text.length) >>> 0;
      for (let index = 0; index < text.length; index += 1) {
        hash = Math.imul(hash ^ text.charCodeAt(index), multiplier);
        hash ^= hash >>> (11 + lane);
      }
      hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
      return ((hash ^ (hash >>> 15)) >>> 0).toString(16).padStart(8, "0");
    })
    .join("");

/**
 * A deterministic platform: a fake clock, ids from a seed, a digest in plain JavaScript.
 *
 * @example
 * ```ts
 * import { createBroker, memoryStore } from "@askbox/core";
 * import { testPlatform } from "@askbox/core/testing";
 *
 * const platform = testPlatform();
 * const broker = await createBroker({ store: memoryStore(), ...platform });
 * await platform.clock.advance(60_000);
 * ```
 */
export function testPlatform(options: FakeClockOptions & { seed?: number } = {}): Platform & { clock: FakeClock } {
  return { clock: fakeClock(options), ids: seededIds(options.seed), digest: testDigest };
}
