import { expect, test } from "vitest";
import { EventLog } from "../src/http/event-log.ts";

test("the sessions of an owner share the room for what they store; each has some of its own", async () => {
  const room = 300_000;
  const logs: EventLog[] = [];
  const free = () => logs.reduce((left, { size }) => left - size, room);
  logs.push(...Array.from({ length: 20 }, () => new EventLog(undefined, undefined, free)));
  for (let round = 0; round < 12; round += 1) {
    for (const log of logs) await log.storeEvent(`stream ${round}`, { jsonrpc: "2.0", id: round, result: { text: "x".repeat(10_000) } });
  }
  const sizes = logs.map(({ size }) => size);
  expect(Math.min(...sizes)).toBeGreaterThan(50_000);
  expect(Math.max(...sizes)).toBeLessThan(130_000);
  expect(free()).toBeGreaterThan(-20 * 65_536);
  // A session by itself may store more than its guaranteed share.
  const [alone] = logs.splice(0, 20);
  for (let round = 20; round < 40; round += 1) {
    await alone?.storeEvent(`stream ${round}`, { jsonrpc: "2.0", id: round, result: { text: "x".repeat(10_000) } });
  }
  expect(alone?.size).toBeGreaterThan(200_000);
});
