import { createServer } from "node:http";
import { type AddressInfo, createServer as createPlainServer, type Server } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { probeHub } from "../src/connect/probe-hub.ts";

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const answering = (status: number, body: string) => portOf(createServer((_request, response) => response.writeHead(status).end(body)));
const sentence = (url: string) =>
  probeHub(url).then(
    () => "a hub",
    (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
  );

describe("a configured address", () => {
  it("leads to a hub", async () => {
    const port = await answering(200, JSON.stringify({ status: "ok", version: "0.1.0", instance: "run-1", protocol: 1 }));
    expect(await sentence(`http://127.0.0.1:${port}`)).toBe("a hub");
  });

  it("is rejected if nothing responds", async () => {
    const server = createServer();
    const port = await portOf(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await sentence(`http://127.0.0.1:${port}`)).toBe(
      `HUB_UNREACHABLE: No askbox hub answers at http://127.0.0.1:${port}; start it, or correct the address.`,
    );
  });

  it.each([
    ["another program", 200, "<html>", "is not an askbox hub"],
    ["something endless", 200, `{"status":"ok"}${" ".repeat(1_000_000)}`, "is not an askbox hub"],
    ["a hub that does not know the name", 403, "{}", "add the name to hosts in its config.json"],
  ])("is rejected if %s responds", async (_, status, body, words) => {
    expect(await sentence(`http://127.0.0.1:${await answering(status, body)}`)).toContain(words);
  });

  it("with https and a hub that speaks http names the right one", async () => {
    const port = await answering(200, "{}");
    expect(await sentence(`https://127.0.0.1:${port}`)).toBe(
      `HUB_UNREACHABLE: The hub at https://127.0.0.1:${port} does not speak https; write http://127.0.0.1:${port}.`,
    );
  });

  it("with http and a server that does not speak it suggests https", async () => {
    // Like a TLS server that receives something else: an alert, then the connection ends.
    const port = await portOf(createPlainServer((socket) => socket.end(Buffer.from([0x15, 3, 1, 0, 2, 2, 70]))));
    expect(await sentence(`http://127.0.0.1:${port}`)).toContain(`if the hub is behind https, write https://127.0.0.1:${port}`);
  });

  it("is rejected if its host does not exist", async () => {
    expect(await sentence("http://nowhere.invalid:1")).toBe("HUB_UNREACHABLE: There is no host nowhere.invalid; correct the address.");
  });
});
