/** Whether a request comes from who it says, now and for the first time. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Webhook } from "standardwebhooks";

const largestBody = 2_000_000;
/** Seconds; what is older may be somebody's copy. */
const oldest = 300;

/** A request's body. Throws when it is too large. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > largestBody) throw new Refusal(413, "The body is too large.");
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** What is answered instead of being done. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** askbox signs as Standard Webhooks has it, whose library knows how old a request may be. */
export function fromAskbox(secret: string, headers: IncomingHttpHeaders, body: string): unknown {
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>);
  } catch {
    throw new Refusal(401, "This is not signed by askbox.");
  }
}

/** This chat signs `v0:TIMESTAMP:BODY`, as many do. */
export function fromChat(secret: string, headers: IncomingHttpHeaders, body: string): unknown {
  const timestamp = String(headers["x-chat-timestamp"]);
  const expected = Buffer.from(`v0=${createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex")}`);
  const given = Buffer.from(String(headers["x-chat-signature"]));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new Refusal(401, "This is not signed by the chat.");
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= oldest)) throw new Refusal(401, "This was signed long ago.");
  return JSON.parse(body);
}
