import { once } from "node:events";
import { createServer } from "node:net";

/**
 * The ports that `freePort` takes. Systems take none of them by themselves, for a server on port 0 or for an outgoing connection, so that one
 * stays free until it is used, and while a server restarts. The ports 10,000 above are left alone too: a cluster's node also listens there.
 */
const [first, count] = [11_000, 10_000];

let next = Math.floor(Math.random() * count);

/** A loopback port that nobody listens on, and that this process was not given before. */
export async function freePort(): Promise<number> {
  for (;;) {
    next = (next + 1) % count;
    const port = first + next;
    if ((await isFree(port)) && (await isFree(port + 10_000))) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = new Promise<boolean>((resolve) => server.once("listening", () => resolve(true)).once("error", () => resolve(false)));
  server.listen(port, "127.0.0.1");
  if (!(await isListening)) return false;
  server.close();
  await once(server, "close");
  return true;
}
