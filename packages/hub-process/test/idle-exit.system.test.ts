import { fakeClock } from "@askbox/core/testing";
import { homeFiles, readHubFile } from "@askbox/home";
import { describe, expect, it } from "vitest";
import { agentsFile } from "../src/list-files.ts";
import { exitWhenIdle } from "../src/run-hub.ts";
import { readSettings } from "../src/settings.ts";
import { connect, startProcess, temporaryHome, until } from "./support.ts";

function watched(seconds: number) {
  const clock = fakeClock();
  const state = { busy: false, visits: 0, left: 0 };
  const stop = exitWhenIdle({
    clock,
    seconds,
    isBusy: async () => state.busy,
    visits: () => state.visits,
    leave: () => {
      state.left += 1;
    },
  });
  return { clock, state, stop };
}

describe("an idle hub", () => {
  // promise: hub-idle-exit, idle-exit-setting
  it("exits once nobody has been connected for long enough", async () => {
    const { clock, state } = watched(300);
    await clock.advance(299_999);
    expect(state.left).toBe(0);
    await clock.advance(1);
    expect(state.left).toBe(1);
    await clock.advance(1_000_000);
    expect(state.left).toBe(1);
  });

  // promise: hub-idle-exit
  it("keeps running while somebody is connected or something is pending, and counts from the end of that", async () => {
    const { clock, state } = watched(300);
    state.busy = true;
    await clock.advance(1_000_000);
    state.busy = false;
    await clock.advance(280_000);
    expect(state.left).toBe(0);
    await clock.advance(30_000);
    expect(state.left).toBe(1);
  });

  it("notices a visit that starts and ends between two checks", async () => {
    const { clock, state } = watched(300);
    await clock.advance(295_000);
    state.visits += 1;
    await clock.advance(290_000);
    expect(state.left).toBe(0);
    await clock.advance(20_000);
    expect(state.left).toBe(1);
  });

  // promise: idle-exit-setting
  it("never exits if this is disabled", async () => {
    const { clock, state } = watched(0);
    expect(clock.pendingTimers()).toBe(0);
    await clock.advance(100_000_000);
    expect(state.left).toBe(0);
  });

  it("does not exit if it was stopped in another way", async () => {
    const { clock, state, stop } = watched(300);
    stop();
    await clock.advance(1_000_000);
    expect(state.left).toBe(0);
  });

  it("keeps running in the foreground unless a time is set, and for 5 minutes in the background", () => {
    const { folders } = temporaryHome();
    const secondsOf = (foreground: boolean, idleExit?: number) =>
      readSettings({ flags: { idleExit }, env: {}, folders, foreground }).idleExit;
    expect([secondsOf(true), secondsOf(true, 60), secondsOf(false), secondsOf(false, 60)]).toEqual([0, 60, 300, 60]);
  });

  it("keeps running while an agent is registered, which may connect by URL", async () => {
    const home = temporaryHome();
    await agentsFile(homeFiles(home.folders).agents).add({ id: "builder" });
    const held = startProcess(home, "background", { store: "memory", idleExit: 0.1 });
    await until(() => readHubFile(home.folders)?.pid === held.child.pid);
    // This one started later and was idle for just as long, so the first would have exited by now.
    await startProcess(temporaryHome(), "background", { store: "memory", idleExit: 0.1 }).ended;
    expect(held.child.exitCode).toBe(null);
    const desk = await connect(home, { role: "desk" });
    expect(await desk.agents.remove("builder")).toBe(true);
    desk.close();
    expect(await held.ended).toEqual({ code: 0, signal: null });
  });

  it("ends its process with 0 and prints nothing", async () => {
    const home = temporaryHome();
    const hub = startProcess(home, "background", { store: "memory", idleExit: 0.1 });
    expect(await hub.ended).toEqual({ code: 0, signal: null });
    expect(hub.output()).toEqual({ stdout: "", stderr: "" });
    expect(home.log().map(({ message, why }) => [message, why])).toEqual([
      ["The hub is ready", undefined],
      ["The hub stops", "It was idle."],
    ]);
  });
});
