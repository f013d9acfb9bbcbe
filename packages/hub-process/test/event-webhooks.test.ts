import { once } from "node:events";
import type { LookupFunction } from "node:net";
import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { receivers } from "../src/event-webhooks.ts";

const secret = `whsec_${"A".repeat(32)}`;

/** Somebody on this machine who would notice a connection. */
async function listener() {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

const sent = { headers: {}, body: "{}", signal: AbortSignal.timeout(60_000) };

// promise: events-only-outside
test.each([
  "https://localhost/x",
  "https://127.0.0.1/x",
  "https://2130706433/x",
  "https://0x7f.1/x",
  "https://169.254.169.254/latest/meta-data",
  "https://[::1]/x",
  "https://[::ffff:10.0.0.1]/x",
  "https://[fd00::1]/x",
  "https://[fec0::1]/x",
  "https://[64:ff9b::7f00:1]/x",
  "https://[2001::1]/x",
  "https://[::ffff:0:7f00:1]/x",
  "https://0.0.0.0/x",
  "https://192.168.1.1/x",
  "https://printer/x",
  "https://hooks.internal/x",
  "https://hooks.example:8443/x",
  "https://hooks.example:22/x",
  "http://hooks.example/x",
  "file:///etc/passwd",
  "https://ada:secret@hooks.example/x",
  "https://hooks.example/x#y",
])("an agent cannot have events sent to %s", (url) => {
  expect(receivers([]).problem({ url, secret })).toMatch(/^delivery.url (leads|has|is)/);
});

test("an agent can have them sent to a public name, and to hosts of the config, with its own secret of the right form only", () => {
  const { problem } = receivers(["localhost:8443", "10.0.0.7", "Hooks.LAN:443", "no host"]);
  const inside = ["https://localhost:8443/x", "https://10.0.0.7/x", "https://hooks.lan/x"];
  for (const url of ["https://hooks.example/x", "https://hooks.example:443/x", ...inside]) {
    expect(problem({ url, secret })).toBeUndefined();
  }
  expect(problem({ url: "https://localhost:8444/x", secret })).toContain("this machine");
  expect(problem({ url: "http://localhost:8443/x", secret })).toContain("https");
  for (const wrong of ["", "whsec_", "A".repeat(32), "whsec_AAAA", `whsec_${"A".repeat(100)}`]) {
    expect(problem({ url: "https://hooks.example/x", secret: wrong })).toContain("delivery.secret");
  }
});

// promise: events-only-outside
test("a name that leads inside when something is sent is not connected to, and looks like one that is not there", async () => {
  const { port, connections } = await listener();
  const answers: Readonly<Record<string, string>> = { "inside.example": "127.0.0.1", "metadata.example": "169.254.169.254" };
  const lookup: LookupFunction = (name, _options, done) => {
    const address = answers[name];
    const missing = Object.assign(new Error("There is none."), { code: "ENOTFOUND" });
    process.nextTick(() => (address === undefined ? done(missing, []) : done(null, [{ address, family: 4 }])));
  };
  const { post } = receivers([], { lookup });
  for (const name of ["inside.example", "metadata.example", "missing.example"]) {
    expect(await post(`https://${name}:${port}/x`, sent)).toBe("connection_refused");
  }
  expect(connections()).toBe(0);
  // The config allows one host, with one port.
  const allowing = receivers([`inside.example:${port}`], { lookup });
  expect(await allowing.post(`https://inside.example:${port}/x`, sent)).not.toBe(undefined);
  expect(connections()).toBe(1);
  const { port: other, connections: others } = await listener();
  expect(await allowing.post(`https://inside.example:${other}/x`, sent)).toBe("connection_refused");
  expect(others()).toBe(0);
});

test("an address that the config allowed when it was subscribed to gets nothing once that is over", async () => {
  const { port, connections } = await listener();
  // An address outside, as far as anybody can tell, with another port.
  const lookup: LookupFunction = (_name, _options, done) => process.nextTick(() => done(null, [{ address: "127.0.0.1", family: 4 }]));
  const post = (hosts: string[]) => receivers(hosts, { lookup, isInside: () => false }).post(`https://hooks.example:${port}/x`, sent);
  await post([`hooks.example:${port}`]);
  expect(connections()).toBe(1);
  expect(await post([])).toBe("connection_refused");
  expect(connections()).toBe(1);
});

test("a receiver that is too slow, and one that speaks no TLS, have a category each", async () => {
  const { port } = await listener();
  const { post } = receivers([`127.0.0.1:${port}`]);
  expect(await post(`https://127.0.0.1:${port}/x`, { ...sent, signal: AbortSignal.abort() })).toBe("timeout");
  expect(["tls_error", "connection_refused"]).toContain(await post(`https://127.0.0.1:${port}/x`, sent));
});
