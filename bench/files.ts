import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { open } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { AskOptions } from "@askbox/core";
import type { AnswerFile } from "@askbox/core/questions";
import { atMost, atMostBeyond, type BenchRow, interleave, median } from "./harness.ts";
import { type BenchHub, startHub } from "./parts/start-hub.ts";

const rounds = 20;
const picture = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), randomBytes(5_000_000)]);
/** Uploads at the same time, and the bytes of each; two fit in a session. */
const [uploads, large] = [10, randomBytes(20_000_000)];
const megabyte = 1_000_000;

/** A picture from its upload to the agent's answer, and the memory of a hub that takes ten large files at once. */
export async function bench(): Promise<BenchRow[]> {
  const hub = await startHub();
  const bare = await startBareUpload(hub.folder);
  try {
    const { asker } = await hub.connect("asker");
    const { desk } = await hub.connect("desk");
    const ask = (options: Omit<AskOptions, "asker">) =>
      asker.ask(
        { questions: [{ id: "q", type: "text", question: "What do you see?", required: true }], timeout: 600_000 },
        { asker: { client: { name: "bench", version: "1" } }, ...options },
      );
    const measured = await interleave(rounds, {
      async floor() {
        const began = performance.now();
        await (await fetch(bare.url, { method: "POST", body: picture })).text();
        return performance.now() - began;
      },
      async askbox() {
        const opened = Promise.withResolvers<string>();
        const answered = ask({ onOpened: ({ session }) => opened.resolve(session.id) });
        const id = await Promise.race([opened.promise, answered.then(({ session }) => session.id)]);
        const began = performance.now();
        const file = await upload(hub, id, picture);
        await desk.answer(id, { answers: [{ questionId: "q", values: ["This:"], files: [{ name: "a.png", ...file }] }] });
        const { ack } = await answered;
        const took = performance.now() - began;
        await ack();
        return took;
      },
    });
    const sessions = await Promise.all(Array.from({ length: uploads / 2 }, () => ask({ maxWait: 0 })));
    const before = await hub.ask("peak");
    await Promise.all(sessions.flatMap(({ session: { id } }) => [upload(hub, id, large), upload(hub, id, randomBytes(large.length))]));
    const most = await hub.ask("peak");
    return [
      atMost(
        {
          id: "picture-answered",
          name: "5 MB picture uploaded to answer received; floor: a bare upload",
          floor: median(measured.floor),
          askbox: median(measured.askbox),
          unit: "ms",
        },
        300,
      ),
      atMostBeyond(
        {
          id: "uploads-heap",
          name: `a hub's heap during ${uploads} uploads of 20 MB; floor: before`,
          floor: before / megabyte,
          askbox: most / megabyte,
          unit: "MB",
          tolerance: null,
        },
        8,
      ),
    ];
  } finally {
    await bare.close();
    await hub.close();
  }
}

async function upload({ url, deskToken }: BenchHub, session: string, body: Buffer<ArrayBuffer>): Promise<Omit<AnswerFile, "name">> {
  const query = new URLSearchParams({ session, upload: randomUUID() });
  const answer = await fetch(new URL(`/api/files?${query}`, url), {
    method: "POST",
    headers: { authorization: `Bearer ${deskToken}` },
    body,
  });
  if (!answer.ok) throw new Error(`The upload failed with ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Omit<AnswerFile, "name">;
}

/** A server that does nothing but write what it is sent to a file, and sync it. */
async function startBareUpload(folder: string) {
  const server = createServer(async (request, response) => {
    const file = await open(join(folder, "bare"), "w");
    await pipeline(request, file.createWriteStream({ flush: true }));
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
