import { readDeskFile } from "@askbox/home";
import { wireProtocol } from "@askbox/wire";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { startAgent } from "./support/agent.ts";
import { type FaultHome, faultHome } from "./support/home.ts";
import { foreignToken, hubOfVersion } from "./support/other-version.ts";
import { pendingSession, textOf } from "./support/questions.ts";

/** The hub's response to a desk with this protocol version. */
async function greet(home: FaultHome, protocol: number): Promise<Record<string, { message?: string; code?: string }>> {
  const { url } = home.hub() ?? { url: "" };
  const { deskToken: token } = readDeskFile({ data: home.folder, config: home.folder, runtime: home.folder, logs: home.folder }) ?? {};
  const socket = new WebSocket(new URL("/ws", url.replace("http", "ws")));
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once("open", () =>
      socket.send(JSON.stringify({ hello: { protocol, token, role: "desk", surface: "cli", agent: { name: "x", version: "1" } } })),
    );
    socket.once("message", (data) => {
      resolve(JSON.parse(String(data)));
      socket.terminate();
    });
  });
}

describe("a hub and a client of different versions", () => {
  // promise: wire-mismatch-refused
  test("a newer client, or one two versions older, gets a sentence from the hub that says what to do; its own version is supported", async () => {
    const home = faultHome();
    await home.startHub();
    expect(await greet(home, wireProtocol)).toMatchObject({ welcome: { protocol: wireProtocol } });
    const { error: newer } = await greet(home, wireProtocol + 1);
    expect(newer).toMatchObject({
      code: "PROTOCOL_MISMATCH",
      message: expect.stringContaining('Stop the older hub with "askbox hub stop"'),
    });
    const { error: older } = await greet(home, wireProtocol - 2);
    expect(older).toMatchObject({ code: "PROTOCOL_MISMATCH", message: expect.stringContaining("Update the askbox that connects") });
  });

  // promise: wire-previous-version-served
  test("a hub one version newer fully supports the command and the agents of this version", async () => {
    const { url } = await hubOfVersion("99.0.0", [wireProtocol + 1, wireProtocol]);
    const home = faultHome({ env: { ASKBOX_HUB: url, ASKBOX_TOKEN: foreignToken } });
    const { desk } = await home.connect({ role: "desk" });
    const call = (await startAgent(home)).ask("Old agent?");
    const { id } = await pendingSession(desk, "Old agent?");
    expect(await home.run(["answer", id, "new hub"])).toMatchObject({ code: 0 });
    expect(textOf((await call.reply).result)).toBe("new hub");
  });

  // promise: wire-mismatch-refused
  test("a hub two versions newer rejects the command and the agents of this version, which say what to do", async () => {
    const { url, broker } = await hubOfVersion("99.0.0", [wireProtocol + 2, wireProtocol + 1]);
    const home = faultHome({ env: { ASKBOX_HUB: url, ASKBOX_TOKEN: foreignToken } });
    const sentence = `The hub (version 99.0.0) does not speak protocol ${wireProtocol}. Update the askbox that connects, and try again.`;
    expect(await home.run(["list"])).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(sentence) });
    const { error } = await (await startAgent(home)).ask("Anybody?").reply;
    expect(error).toContain(sentence);
    expect(broker.stats().pending).toBe(0);
  });
});
