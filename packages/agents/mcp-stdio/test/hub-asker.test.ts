import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeClock } from "@askbox/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { usableEnvironment } from "../src/environment.ts";
import { createHubAsker } from "../src/hub-asker.ts";

/** How often a load balancer that closes the connection is retried before the attempt has failed. */
const triesOfOneAttempt = 4;

/** A local server that closes every connection, like a tunnel whose other end is down. */
async function tunnel(): Promise<{ url: string; visits(): number }> {
  let visits = 0;
  const server = createServer((request) => {
    visits += 1;
    request.socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, visits: () => visits };
}

test("a first connection is retried with backoff until the call's timeout, and then for the next call", async () => {
  const home = mkdtempSync(join(tmpdir(), "askbox-asker-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const { url, visits } = await tunnel();
  const env = { ASKBOX_HOME: home, ASKBOX_HUB: url, ASKBOX_TOKEN: "abx_some-token" };
  const logged: string[] = [];
  const log = (_level: string, message: string) => void logged.push(message);
  const clock = fakeClock();
  const hub = createHubAsker({ env, hub: undefined, tokenFile: undefined, hubCommand: [], version: "1", log }, clock);
  onTestFinished(() => hub.close());
  const why = `The server at ${url} does not speak http; if the hub is behind https, write ${url.replace("http", "https")}.`;
  const late = { code: "HUB_UNREACHABLE", message: `No askbox hub could be reached within this call's time. ${why}` };
  expect(why).toContain(url);
  const first = hub.get(3_000);
  const outcomes: unknown[] = [];
  first.catch((error: unknown) => outcomes.push(error));
  await expect.poll(visits).toBeGreaterThan(triesOfOneAttempt);
  await clock.advance(2_999);
  expect(outcomes).toEqual([]);
  await clock.advance(1);
  await expect(first).rejects.toMatchObject(late);
  const before = visits();
  await expect.poll(visits).toBeGreaterThan(before);
  const next = expect(hub.get(1)).rejects.toMatchObject(late);
  await clock.advance(1);
  await next;
  expect(logged).toContain("The hub was not reached");
});

test("a timeout that no ask could have is ignored by the server and by the hub that it starts, which the log says", () => {
  const env = { CN_MCP_TIMEOUT: "5000", ASKBOX_TIMEOUT: "20000", HOME: "/home/ada" };
  expect(usableEnvironment(env)).toEqual({
    env: { ASKBOX_TIMEOUT: "20000", HOME: "/home/ada" },
    ignored: ["CN_MCP_TIMEOUT is not a whole number of milliseconds from 10000 to 1800000; it is ignored"],
  });
});
