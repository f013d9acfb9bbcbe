import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startHub, until } from "./support.ts";

test("a hub that closes waits 4 s for a request that is not whole, and then cuts it", async () => {
  const { hub, url, clock } = await startHub();
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  const cut = once(socket, "close");
  socket.on("error", () => {});
  socket
    .resume()
    .write(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\nPOST /api/sessions HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 9\r\n\r\n{`);
  // The second request has begun once the first is answered.
  await until(() => socket.bytesRead > 0);
  let isClosed = false;
  const closing = hub.close().then(() => {
    isClosed = true;
  });
  await clock.advance(3_999);
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect([isClosed, socket.destroyed]).toEqual([false, false]);
  await clock.advance(1);
  await cut;
  await closing;
});
