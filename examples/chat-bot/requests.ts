/** Verifies that a request comes from the claimed sender, is recent and was not seen before. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Webhook } from "standardwebhooks";

const largestBody = 2_000_000;
/** Seconds; an older request may be a replay. */
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

/** The response to a rejected request. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** askbox signs as specified by Standard Webhooks, whose library also checks the request's age. */
export function fromAskbox(secret: string, headers: IncomingHttpHeaders, body: string): unknown {
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>);
  } catch {
    throw new Refusal(401, "This is not signed by askbox.");
  }
}

/** This chat signs `v0:TIMESTAMP:BODY`, like many do. */
export function fromChat(secret: string, headers: IncomingHttpHeaders, body: string): unknown {
  const timestamp = String(headers["x-chat-timestamp"]);
  const expected = Buffer.from(`v0=${createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex")}`);
  const signature = Buffer.from(String(headers["x-chat-signature"]));
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected))
    throw new Refusal(401, "This is not signed by the chat.");
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= oldest)) throw new Refusal(401, "This was signed long ago.");
  return JSON.parse(body);
}
