import { createIds, type StandardGlobals, standardPlatform } from "@askbox/core";
import { describe, expect, test } from "vitest";

/** Ids from these bytes, repeated. */
const idsOf = (...bytes: number[]) =>
  createIds({ bytes: (count) => Uint8Array.from({ length: count }, (_, index) => bytes[index % bytes.length] ?? 0) });
const counting = Array.from({ length: 16 }, (_, index) => index * 16 + index);

describe("ids", () => {
  test("of sessions are 128 bits in Crockford's base 32", () => {
    expect(idsOf(0).session()).toBe("0".repeat(26));
    expect(idsOf(255).session()).toBe(`${"z".repeat(25)}w`);
    expect(idsOf(...counting).session()).toBe(base32(counting));
  });

  test("of questions are q_ and six base-36 characters, however small the number", () => {
    expect(idsOf(0).question()).toBe("q_000000");
    expect(idsOf(0, 0, 0, 0, 0, 37).question()).toBe("q_000011");
    expect(idsOf(0, 0, 129, 191, 16, 0).question()).toBe("q_000000");
    expect(idsOf(255).question()).toBe(`q_${((256 ** 6 - 1) % 36 ** 6).toString(36).padStart(6, "0")}`);
  });

  test("of calls are random version 4 UUIDs with the RFC's variant", () => {
    expect(idsOf(0).call()).toBe("00000000-0000-4000-8000-000000000000");
    expect(idsOf(255).call()).toBe("ffffffff-ffff-4fff-bfff-ffffffffffff");
    expect(idsOf(...counting).call()).toBe("00112233-4455-4677-8899-aabbccddeeff");
  });
});

/** The same number computed differently: as one large integer. */
function base32(bytes: readonly number[]): string {
  let value = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n) << 2n;
  let text = "";
  for (let place = 0; place < 26; place += 1) {
    text = `${"0123456789abcdefghjkmnpqrstvwxyz"[Number(value & 31n)]}${text}`;
    value >>= 5n;
  }
  return text;
}

/** A runtime whose timers are fired by hand. */
function aRuntime() {
  const timers = new Map<object, { delay: number; callback: () => void }>();
  let unreferenced = 0;
  const globals: StandardGlobals = {
    Date: { now: () => 5 },
    performance: { now: () => 7 },
    setTimeout(callback, delay) {
      const timer = {
        unref: () => {
          unreferenced += 1;
        },
      };
      timers.set(timer, { delay, callback });
      return timer;
    },
    clearTimeout: (timer) => void timers.delete(timer),
    crypto: {
      getRandomValues: (array) => array.fill(255),
      subtle: globalThis.crypto.subtle as StandardGlobals["crypto"]["subtle"],
    },
    TextEncoder: TextEncoder as StandardGlobals["TextEncoder"],
  };
  const fire = () => {
    const [timer, { callback }] = [...timers][0] as [object, { callback: () => void }];
    timers.delete(timer);
    callback();
  };
  return { globals, fire, delays: () => [...timers.values()].map(({ delay }) => delay), unreferenced: () => unreferenced };
}

describe("a platform from a runtime's globals", () => {
  test("uses their clocks, random bytes and SHA-256", async () => {
    const { clock, ids, digest } = standardPlatform(aRuntime().globals);
    expect([clock.now(), clock.monotonic()]).toEqual([5, 7]);
    expect(ids.call()).toBe("ffffffff-ffff-4fff-bfff-ffffffffffff");
    expect(await digest("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(await digest("é")).toBe("4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c");
  });

  test("fires a timer once, after its delay, without keeping the process alive", () => {
    const { globals, fire, delays, unreferenced } = aRuntime();
    let fired = 0;
    const { clock } = standardPlatform(globals);
    clock.setTimer(100, () => {
      fired += 1;
    });
    expect([delays(), unreferenced()]).toEqual([[100], 1]);
    fire();
    expect([fired, delays()]).toEqual([1, []]);
    clock.setTimer(-5, () => {});
    expect(delays()).toEqual([0]);
  });

  test("splits delays that are longer than a runtime's timers allow", () => {
    const { globals, fire, delays } = aRuntime();
    let fired = 0;
    const longest = 2_147_483_647;
    standardPlatform(globals).clock.setTimer(2 * longest + 5, () => {
      fired += 1;
    });
    const seen: number[][] = [];
    for (let step = 0; step < 3; step += 1) {
      seen.push(delays());
      expect(fired).toBe(0);
      fire();
    }
    expect([seen, fired, delays()]).toEqual([[[longest], [longest], [5]], 1, []]);
    standardPlatform(globals).clock.setTimer(longest, () => {});
    fire();
    expect(delays()).toEqual([]);
  });

  test("clears a timer, also between its steps, and works without unref", () => {
    const { globals, fire, delays } = aRuntime();
    const cancel = standardPlatform(globals).clock.setTimer(3_000_000_000, () => {});
    fire();
    cancel();
    expect(delays()).toEqual([]);
    const numbered: StandardGlobals = {
      ...globals,
      setTimeout(callback) {
        callback();
        return 1;
      },
    };
    let fired = false;
    standardPlatform(numbered).clock.setTimer(1, () => {
      fired = true;
    });
    expect(fired).toBe(true);
  });
});

describe("a process", () => {
  test("is kept alive by one timer while anybody waits, however many do", () => {
    const { globals, delays, unreferenced } = aRuntime();
    const stayAlive = standardPlatform(globals).clock.stayAlive as () => () => void;
    const [one, other] = [stayAlive(), stayAlive()];
    expect([delays(), unreferenced()]).toEqual([[2_147_483_647], 0]);
    one();
    one();
    expect(delays()).toHaveLength(1);
    other();
    expect(delays()).toEqual([]);
  });

  test("stays alive beyond the maximum delay of a timer", () => {
    const { globals, fire, delays } = aRuntime();
    const end = standardPlatform(globals).clock.stayAlive?.();
    fire();
    expect(delays()).toHaveLength(1);
    end?.();
    expect(delays()).toEqual([]);
  });
});
