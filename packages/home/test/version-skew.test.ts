import { AskboxError } from "@askbox/core";
import type { WireClient } from "@askbox/wire";
import { describe, expect, it } from "vitest";
import { isOlder, replaceOlderHub } from "../src/connect/health.ts";
import { temporaryFolder } from "./temporary-folder.ts";

describe("a version", () => {
  it.each([
    ["0.1.0", "0.2.0", true],
    ["0.9.0", "0.10.0", true],
    ["1.2.3", "1.2.4", true],
    ["1.2.3", "1.2.3", false],
    ["2.0.0", "1.9.9", false],
    ["0.2.0", "0.1.9", false],
    ["what", "1.0.0", false],
  ])("%s is older than %s: %s", (one, other, older) => {
    expect(isOlder(one, other)).toBe(older);
  });
});

describe("an older hub", () => {
  const hub = { url: "http://127.0.0.1:9", pid: 1, version: "0.1.0", instance: "run-1", askerToken: "t" };
  const idle = { foreground: false, pending: 0, askers: 0, surfaces: [{ surface: "cli" }] };

  const inUse = "it is in use, so it keeps running. After `askbox hub stop` the next command starts the newer one.";
  const inTerminal = "it is run in a terminal, so it keeps running. Restart it there when convenient.";

  /** A hub that supports these protocols and reports this status. */
  function meeting(status: object, served = [1]) {
    const did: string[] = [];
    const notices: string[] = [];
    const connectDesk = async (protocol = 7) => {
      if (!served.includes(protocol)) throw new AskboxError("PROTOCOL_MISMATCH", "It does not.", { details: { protocols: served } });
      did.push(`speaks ${protocol}`);
      const control = { status: async () => status, stop: async () => void did.push("stop") };
      return { control, close: () => did.push("close") } as unknown as WireClient;
    };
    const env = { ASKBOX_HOME: temporaryFolder() };
    const replaced = replaceOlderHub({ hub, version: "0.2.0", connectDesk, env, notice: (sentence) => notices.push(sentence) });
    return { replaced, did, notices };
  }

  it("that is unused is stopped", async () => {
    const { replaced, did, notices } = meeting(idle, [7]);
    expect(await replaced).toBe(true);
    expect([did, notices]).toEqual([["speaks 7", "stop", "close"], []]);
  });

  it("is stopped with its own protocol if it does not know the current one", async () => {
    const { replaced, did } = meeting(idle, [2, 3]);
    expect(await replaced).toBe(true);
    expect(did).toEqual(["speaks 3", "stop", "close"]);
  });

  it.each([
    ["has questions", { ...idle, pending: 1 }, inUse],
    ["has askers", { ...idle, askers: 1 }, inUse],
    ["has other surfaces", { ...idle, surfaces: [{ surface: "cli" }, { surface: "web" }] }, inUse],
    ["is run in a terminal", { ...idle, foreground: true }, inTerminal],
    ["does not say how it is run", { ...idle, foreground: undefined }, inTerminal],
  ])("that %s keeps running, and one line says so", async (_, status, why) => {
    const { replaced, did, notices } = meeting(status, [7]);
    expect(await replaced).toBe(false);
    expect(did).toEqual(["speaks 7", "close"]);
    expect(notices).toEqual([`The hub is of askbox 0.1.0 and this is 0.2.0; ${why}`]);
  });

  it("that cannot be stopped keeps running", async () => {
    const { replaced, notices } = meeting(idle, []);
    expect(await replaced).toBe(false);
    expect(notices).toEqual([expect.stringContaining("could not be stopped")]);
  });
});
