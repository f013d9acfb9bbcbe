import { connect } from "node:net";
import { assertSentence, fault } from "./oracle.ts";

/**
 * Sends bytes and reads until the other side disconnects. Gives up on a request that never ends after half a second without data; with `isCut`
 * it disconnects once they are sent.
 */
export function exchange(port: number, bytes: Buffer, isCut = false): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const pieces: Buffer[] = [];
    const done = () => {
      socket.destroy();
      resolve(Buffer.concat(pieces).toString("utf8"));
    };
    socket.setTimeout(500, done);
    socket.on("data", (piece) => pieces.push(piece));
    socket.on("error", done);
    socket.on("close", done);
    socket.write(bytes, isCut ? done : undefined);
  });
}

const maxRefusalLength = 65_536;

/** Checks that what came back is HTTP, no accident, and a refusal one sentence. */
export function assertAnswer(answer: string, path: string): void {
  // It waits for the rest of an announced body, or doesn't respond to something that isn't HTTP.
  if (answer === "") return;
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
  if (!(status >= 100 && status < 600)) fault(`This is no HTTP: ${answer.slice(0, 200)}`);
  if (status < 400) return;
  if (status >= 500 && status !== 503) fault(`${path} is answered ${answer.slice(0, 500)}`);
  const [head = "", ...rest] = answer.split("\r\n\r\n");
  const body = rest.join("\r\n\r\n");
  if (body.length > maxRefusalLength) fault(`A refusal has ${body.length} characters: ${body.slice(0, 200)}`);
  if (!/content-type: application\/problem\+json/i.test(head) || body === "") return;
  const text = /transfer-encoding: chunked/i.test(head) ? body.slice(body.indexOf("{"), body.lastIndexOf("}") + 1) : body;
  if (!text.includes("\r\n")) assertSentence((JSON.parse(text) as { detail: unknown }).detail, `The refusal of ${path}`);
}
