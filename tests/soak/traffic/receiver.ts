import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The receiver of the hub's webhooks; one in a hundred is rejected and delivered again. */
export async function startReceiver(): Promise<{ url: string; received(): number; close(): Promise<void> }> {
  let received = 0;
  const server = createServer((request, response) => {
    received += 1;
    request.resume();
    response.statusCode = received % 100 === 0 ? 503 : 204;
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/soak`,
    received: () => received,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
