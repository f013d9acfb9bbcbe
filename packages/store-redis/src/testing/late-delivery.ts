import type { Socket } from "node:net";

/** How what a server publishes arrives: each message after 0 to `most` ms, in any order, about a third of them twice. */
export interface LateDelivery {
  most: number;
  /** From 0 up to, but not including, 1. Default `Math.random`. */
  chance?: (() => number) | undefined;
}

/**
 * One connection to a Redis, whose replies pass through `take`. What it subscribed to comes late, out of order and twice; replies to `XREAD`
 * come late. Everything else passes at once.
 */
export function lateDelivery(
  inbound: Socket,
  { most, chance = Math.random }: LateDelivery,
): { asks(data: Buffer): void; take(data: Buffer): void } {
  let kind: "plain" | "stream" | "subscriber" = "plain";
  let rest: Buffer = Buffer.alloc(0);
  let before = Promise.resolve();
  const send = (data: Buffer) => {
    if (!inbound.destroyed) inbound.write(data);
  };
  const later = (data: Buffer) => setTimeout(send, chance() * most, data);
  return {
    asks(data) {
      if (kind === "plain" && data.includes("SUBSCRIBE")) kind = "subscriber";
      else if (kind === "plain" && data.includes("XREAD")) kind = "stream";
    },
    take(data) {
      if (kind === "plain") return send(data);
      if (kind === "stream") {
        // In order: a reply belongs to its request.
        before = before.then(() => new Promise<void>((resolve) => setTimeout(resolve, chance() * most))).then(() => send(data));
        return;
      }
      rest = Buffer.concat([rest, data]);
      for (let end = endOf(rest, 0); end !== undefined; end = endOf(rest, 0)) {
        const reply = rest.subarray(0, end);
        rest = rest.subarray(end);
        if (!reply.subarray(0, 20).toString("latin1").toLowerCase().includes("\r\nmessage\r\n")) send(reply);
        else {
          later(reply);
          if (chance() < 0.3) later(reply);
        }
      }
    },
  };
}

/** Where the RESP2 reply at `start` ends; undefined if it isn't complete. */
function endOf(data: Buffer, start: number): number | undefined {
  const line = data.indexOf("\r\n", start);
  if (line < 0) return undefined;
  const size = Number(data.subarray(start + 1, line).toString("latin1"));
  let end: number | undefined = line + 2;
  switch (String.fromCharCode(data[start] ?? 0)) {
    case "$":
      end += size < 0 ? 0 : size + 2;
      return end > data.length ? undefined : end;
    case "*":
      for (let count = 0; count < size && end !== undefined; count += 1) end = endOf(data, end);
      return end;
    default:
      return end;
  }
}
