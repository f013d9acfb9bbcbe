import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { otherClock } from "../support/other-clock.ts";
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

test("a digest of what models have denied comes to a webhook that names it, once over a restart, and to no other", async () => {
  const { url, posted, up } = await receiver();
  up();
  const webhooks = [{ url, events: ["denials.digest"], inbox: "https://askbox.example" }, { url: `${url}/other` }];
  await home.run(["config", "set", "webhooks", JSON.stringify(webhooks)]);
  await home.run(["config", "set", "denialDigest", "1m"]);
  // A minute of the hub is a second here.
  const env = otherClock({ factor: 60 });
  const action = (command: string) => JSON.stringify({ kind: "command", tool: "Bash", command });
  const flags = ["--type", "approval", "--denial", '{"reviewer":"auto mode"}', "--timeout", "30m"];
  /** Asked by a command that is then killed, since it would start a hub of its own. */
  const deny = async (command: string) => {
    const asked = home.start(["ask", "Overrule that?", ...flags, "--action", action(command)]);
    await asked.says(/Asked as/);
    asked.child.kill("SIGKILL");
    await asked.done;
  };
  const told = () => posted.map(({ body }) => JSON.parse(body).data.count).reduce((sum, count) => sum + count, 0);
  const first = home.start(["hub"], { env });
  await first.says(/http:/);
  await deny("ls");
  await deny("make");
  await until("both were told", () => told() === 2);
  first.child.kill("SIGTERM");
  await first.done;
  const second = home.start(["hub"], { env });
  await second.says(/http:/);
  await deny("rm -r build");
  await until("the third was told", () => told() > 2);
  expect(told()).toBe(3);
  expect(JSON.parse(posted.at(-1)?.body ?? "")).toMatchObject({
    type: "denials.digest",
    data: {
      count: 1,
      session: { status: "pending", action: "Bash: rm -r build" },
      url: expect.stringMatching(/^https:\/\/askbox\.example\/s\//),
    },
  });
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
