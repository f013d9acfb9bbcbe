import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** A push as a phone gets it. */
export interface Push {
  sequence_id: string;
  title: string;
  message: string;
  priority?: number;
  click?: string;
  file?: { name: string; text: string };
  actions?: { action: string; label: string; url: string; method?: string; body?: string; headers?: Record<string, string> }[];
}

/** Encoded words of a header, of which white space between two is none of the text (RFC 2047, section 6.2). */
const decodedHeader = (value: string) =>
  value
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?B\?([\w+/=]{1,64})\?=/g, (_whole, word: string) => Buffer.from(word, "base64").toString("utf8"));

/**
 * A stand-in for an ntfy server, by its documentation: it publishes JSON at `/`, takes any body at `/TOPIC`, and streams `/TOPIC/json` with
 * all that it has `since` a message, or all if it does not know that one. What the real one refuses or changes is refused here.
 */
export async function ntfyServer({ writeToken }: { writeToken?: string } = {}) {
  const pushes: Push[] = [];
  const topics = new Map<string, { id: string; message: string }[]>();
  const streams = new Map<ServerResponse, string>();
  const refused: number[] = [];
  /** `since`: from where the last reader asked for the messages. */
  const state = { status: 200, opened: 0, since: "", takesFiles: true };
  let count = 0;
  const publish = (topic: string, message: string) => {
    count += 1;
    const event = { id: `m${String(count).padStart(10, "0")}`, event: "message", time: 1, topic, message };
    topics.set(topic, [...(topics.get(topic) ?? []), event]);
    for (const [stream, at] of streams) if (at === topic) stream.write(`${JSON.stringify(event)}\n`);
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const [, topic = "", json] = pathname.split("/");
    const refuse = (status: number) => {
      refused.push(status);
      response.writeHead(status).end();
    };
    if (request.method === "POST" && topic === "") {
      const body = await text(request);
      const push = JSON.parse(body) as Push;
      if (body.length > 8_192 || Buffer.byteLength(push.message) > 4_096) return refuse(413);
      if ((push.actions?.length ?? 0) > 3) return refuse(400);
      pushes.push(push);
      response.end("{}");
    } else if (request.method === "POST" && request.headers["filename"] !== undefined) {
      if (!state.takesFiles) return refuse(400);
      const of = (name: string) => decodedHeader(String(request.headers[name] ?? ""));
      const push: Push = {
        sequence_id: of("sequence-id"),
        title: of("title"),
        message: of("message"),
        click: of("click"),
        actions: JSON.parse(of("actions") || "[]"),
        file: { name: of("filename"), text: await text(request) },
      };
      if ((push.actions?.length ?? 0) > 3) return refuse(400);
      pushes.push(push);
      response.end("{}");
    } else if (request.method === "POST") {
      if (writeToken !== undefined && request.headers.authorization !== `Bearer ${writeToken}`) return refuse(403);
      publish(topic, await text(request));
      response.end("{}");
    } else if (json === "json") {
      if (state.status !== 200) return refuse(state.status);
      state.opened += 1;
      state.since = searchParams.get("since") ?? "";
      streams.set(response, topic);
      response.on("close", () => streams.delete(response));
      response.writeHead(200, { "content-type": "application/x-ndjson" });
      response.write(`${JSON.stringify({ id: "o", event: "open", topic })}\n`);
      const kept = topics.get(topic) ?? [];
      const known = kept.findIndex(({ id }) => id === searchParams.get("since"));
      for (const event of kept.slice(known + 1)) response.write(`${JSON.stringify(event)}\n`);
    } else refuse(404);
  };
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    pushes,
    refused,
    state,
    publish,
    /** How many read a topic. */
    readers: () => streams.size,
    keepAlive: () => {
      for (const stream of streams.keys()) stream.write('{"event":"keepalive"}\n');
    },
    drop: () => {
      for (const stream of streams.keys()) stream.destroy();
    },
    /** Presses a button as a phone does. */
    async press(push: Push | undefined, label: string): Promise<number> {
      const found = push?.actions?.find((action) => action.label === label);
      if (found === undefined) throw new Error(`The push has no button ${label}, but ${push?.actions?.map((action) => action.label)}.`);
      const { status } = await fetch(found.url, { method: found.method ?? "POST", body: found.body ?? "", headers: found.headers ?? {} });
      return status;
    },
  };
}
