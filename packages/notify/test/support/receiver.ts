import { createServer, type IncomingHttpHeaders } from "node:http";
import { onTestFinished } from "vitest";

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** The responses to the next requests; 200 when it is empty. A function keeps the request open until it is called. */
  answers: { status: number; headers?: Record<string, string>; after?: Promise<void> }[];
}

/** A real HTTP server that records what is posted to it. */
export async function startReceiver(): Promise<Receiver> {
  const made: Receiver = { url: "", received: [], answers: [] };
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (piece: string) => {
      body += piece;
    });
    request.on("end", async () => {
      const { status = 200, headers = {}, after } = made.answers.shift() ?? {};
      made.received.push({ path: request.url ?? "", headers: request.headers, body });
      await after;
      response.writeHead(status, headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  made.url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return made;
}
