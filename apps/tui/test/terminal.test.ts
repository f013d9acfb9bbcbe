import { EventEmitter } from "node:events";
import { fakeClock } from "@askbox/core/testing";
import type { SuspendTerminal } from "ink";
import { expect, test } from "vitest";
import { createTerminal } from "../src/terminal/terminal.ts";

/** A terminal whose program was lent to the system with Ctrl-Z. */
function suspended() {
  const clock = fakeClock();
  const sent: unknown[] = [];
  const stdout = Object.assign(new EventEmitter(), { isTTY: false });
  const process = Object.assign(new EventEmitter(), {
    stdin: new EventEmitter(),
    stdout,
    env: {},
    platform: "linux",
    kill: (...signal: unknown[]) => sent.push(signal),
  });
  const terminal = createTerminal({
    process: process as unknown as NodeJS.Process,
    stdout: stdout as unknown as NodeJS.WriteStream,
    clock,
    leave() {},
  });
  let isBack = false;
  terminal.lend((async (work: () => Promise<void>) => {
    await work();
    isBack = true;
  }) as SuspendTerminal);
  terminal.host.suspend();
  return { clock, process, sent, isBack: () => isBack };
}

test("a system that can't suspend the program gives it the terminal back after 200 ms", async () => {
  const { clock, process, sent, isBack } = suspended();
  expect(sent).toEqual([[0, "SIGTSTP"]]);
  await clock.advance(199);
  expect([isBack(), process.listenerCount("SIGTSTP")]).toEqual([false, 0]);
  await clock.advance(1);
  expect([isBack(), process.listenerCount("SIGTSTP"), process.listenerCount("SIGCONT")]).toEqual([true, 1, 0]);
});

test("a program that continues takes the terminal back at once", async () => {
  const { clock, process, isBack } = suspended();
  process.emit("SIGCONT");
  await clock.advance(0);
  expect([isBack(), process.listenerCount("SIGTSTP"), clock.pendingTimers()]).toEqual([true, 1, 0]);
});
