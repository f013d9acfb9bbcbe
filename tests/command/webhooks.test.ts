import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { until } from "../support/until.ts";
import { type Home, openHome } from "./support/home.ts";

let home: Home;
beforeEach(async () => {
  home = await openHome();
});
afterEach(() => home.close());

interface Posted {
  headers: Record<string, string>;
  body: string;
}

/** A receiver that responds with 503 until it is `up`. */
async function receiver(): Promise<{ url: string; posted: Posted[]; up(): void }> {
  const posted: Posted[] = [];
  let isUp = false;
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    if (isUp) posted.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(pieces).toString("utf8") });
    response.writeHead(isUp ? 200 : 503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    posted,
    up() {
      isUp = true;
    },
  };
}

test("a hub sends a question and its answer to its config's webhooks, signed with a secret from a file, and status shows their state", async () => {
  const { url, posted, up } = await receiver();
  up();
  await writeFile(join(home.path, "hook-secret"), "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n");
  const webhooks = JSON.stringify([{ url, secretFile: "hook-secret" }]);
  expect((await home.run(["config", "set", "webhooks", webhooks])).code).toBe(0);
  await home.serve();
  const asked = home.start(["ask", "Deploy?"]);
  const [, id = ""] = await asked.says(/Asked as (\w{8})/);
  expect((await home.run(["answer", id, "yes"])).code).toBe(0);
  expect((await asked.done).code).toBe(0);
  await until("both were posted", () => posted.length === 2);
  const verifier = new Webhook("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  const events = posted.map(({ body, headers }) => verifier.verify(body, headers));
  expect(events).toMatchObject([
    { type: "session.opened", data: { session: { questions: [{ question: "Deploy?" }] } } },
    { type: "session.settled", data: { session: { outcome: { answers: [{ values: ["yes"] }], by: { surface: "cli" } } } } },
  ]);
  await until("status counts both", async () =>
    /Webhook +http:\/\/127\.0\.0\.1:\d+\/hook: 2 delivered\n/.test((await home.run(["hub", "status"])).stdout),
  );
});

test("a secret that cannot be read prevents the hub from starting, with one sentence", async () => {
  await home.run(["config", "set", "webhooks", JSON.stringify([{ url: "https://a.example", secretFile: "nowhere" }])]);
  const ran = await home.spawn(["hub"]);
  expect(ran).toMatchObject({
    stdout: "",
    stderr: expect.stringMatching(/^The secret of a webhook cannot be read from .*nowhere; .*\.\n$/),
  });
  expect(ran.code).not.toBe(0);
});
