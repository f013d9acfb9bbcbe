import { fakeClock } from "@askbox/core/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { holdTunnel } from "../src/machines/hold-tunnel.ts";
import { checkHost, nameOfHost } from "../src/machines/ssh-host.ts";

/** Tunnels that come up, or end, when the test says so. */
function scene() {
  const clock = fakeClock();
  const opened: { up(): void; end(reason: string): void; isClosed: boolean }[] = [];
  const told: string[] = [];
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const open = () => {
    const [ready, ended] = [Promise.withResolvers<boolean>(), Promise.withResolvers<string>()];
    const end = (reason: string) => {
      ready.resolve(false);
      ended.resolve(reason);
    };
    const tunnel = { up: () => ready.resolve(true), end, isClosed: false };
    opened.push(tunnel);
    const close = () => {
      tunnel.isClosed = true;
      end("it was ended");
    };
    return { ready: ready.promise, ended: ended.promise, close };
  };
  const held = holdTunnel({
    open,
    clock,
    random: () => 1,
    signal: over.signal,
    onUp: () => told.push("up"),
    onDown: (reason, pause) => told.push(`${reason} ${pause}`),
  });
  held.catch(() => {});
  const at = (index: number) => opened[index] ?? expect.fail(`tunnel ${index} was not opened`);
  return { clock, opened, told, over, held, at };
}

describe("a tunnel", () => {
  it("that breaks is replaced, after longer and longer pauses of at most a minute while it doesn't come up", async () => {
    const { clock, opened, told, at } = scene();
    at(0).up();
    await clock.advance(0);
    at(0).end("reset");
    await clock.advance(0);
    const pauses = [];
    for (let failure = 1; failure <= 8; failure += 1) {
      const pause = Number(told.at(-1)?.split(" ")[1]);
      pauses.push(pause);
      await clock.advance(pause - 1);
      expect(opened).toHaveLength(failure);
      await clock.advance(1);
      expect(opened).toHaveLength(failure + 1);
      at(failure).end("refused");
      await clock.advance(0);
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  it("that comes up each time and doesn't hold is replaced every 4 s at the latest", async () => {
    const { clock, opened, told, at } = scene();
    for (let round = 0; round < 20; round += 1) {
      at(round).up();
      await clock.advance(0);
      at(round).end("reset");
      await clock.advance(0);
      expect(Number(told.at(-1)?.split(" ")[1])).toBeLessThanOrEqual(4_000);
      await clock.advance(4_000);
      expect(opened).toHaveLength(round + 2);
    }
  });

  it("that had held for half a minute is replaced at once", async () => {
    const { clock, opened, told, at } = scene();
    at(0).up();
    await clock.advance(30_000);
    at(0).end("reset");
    await clock.advance(0);
    expect([told, opened.length]).toEqual([["up", "reset 0"], 2]);
  });

  it("is replaced when the machine wakes, since it only looks whole, and not when nothing happens", async () => {
    const { clock, opened, at } = scene();
    at(0).up();
    await clock.advance(60_000);
    expect(opened).toHaveLength(1);
    clock.jumpWall(3_600_000);
    await clock.advance(5_000);
    expect([at(0).isClosed, opened.length]).toEqual([true, 2]);
  });

  it("that never comes up the first time is an error, and nothing is tried again", async () => {
    const { clock, opened, held, at } = scene();
    at(0).end("Permission denied (publickey).");
    await expect(held).rejects.toThrow("Permission denied");
    await clock.advance(600_000);
    expect(opened).toHaveLength(1);
  });

  it("ends with its signal, also in a pause", async () => {
    const { clock, opened, over, held, at } = scene();
    at(0).up();
    await clock.advance(0);
    at(0).end("reset");
    await clock.advance(0);
    over.abort();
    await held;
    await clock.advance(600_000);
    expect([opened.length, clock.pendingTimers()]).toEqual([1, 0]);
  });
});

describe("a host", () => {
  it.each(["build-7", "ada@10.0.0.7", "ssh://ada@build-7:2222", "::1", "höst"])("can be %s", (host) => {
    expect(checkHost(host)).toBe(host);
  });
  it.each(["-oProxyCommand=x", "", "a b", "a\nb", "\u001b[31m"])("can't be %j", (host) => {
    expect(() => checkHost(host)).toThrow("no host that ssh could reach");
  });
  it.each([
    ["ssh://ada@build-7:2222", "ada@build-7"],
    ["build-7", "build-7"],
    ["::1", "1"],
  ])("%s is called %s", (host, name) => {
    expect(nameOfHost(host)).toBe(name);
  });
});
