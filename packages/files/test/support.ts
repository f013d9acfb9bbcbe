import { createBroker, memoryStore, type SessionStore } from "@askbox/core";
import type { Blobs } from "@askbox/core/stores";
import { testPlatform } from "@askbox/core/testing";
import { createHub, createToken, type HubOptions, hashToken, tokenVerifier } from "@askbox/hub";
import { onTestFinished } from "vitest";
import { type FileLimits, hubFiles } from "../src/index.ts";

interface Sent {
  as?: "asker" | "otherAsker" | "desk" | "metrics";
  headers?: Record<string, string>;
  body?: unknown;
}

export type TestHub = Awaited<ReturnType<typeof startHub>>;

/** A hub on a memory store, with a stopped clock. */
export async function startHub({
  store = memoryStore(),
  blobs,
  fileLimits,
  ...options
}: Partial<HubOptions> & { store?: SessionStore; blobs?: Blobs; fileLimits?: FileLimits } = {}) {
  const platform = testPlatform();
  const files = blobs && hubFiles({ blobs, store, clock: platform.clock, limits: fileLimits });
  const broker = await createBroker({ ...platform, store, files: files?.check, images: files?.images });
  const tokens = { asker: createToken(), otherAsker: createToken(), desk: createToken(), metrics: createToken() };
  const hub = createHub({
    broker,
    platform,
    tokens: tokenVerifier([
      { hash: hashToken(tokens.asker), access: { owner: "one", scopes: ["asker"] } },
      { hash: hashToken(tokens.otherAsker), access: { owner: "two", scopes: ["asker"] } },
      { hash: hashToken(tokens.desk), access: { owner: "desk", scopes: ["desk"] } },
      { hash: hashToken(tokens.metrics), access: { owner: "metrics", scopes: ["metrics"] } },
    ]),
    ...(files && { mounts: [files.mount] }),
    ...options,
  });
  const url = await hub.listen();
  onTestFinished(async () => {
    await hub.close();
    await broker.close();
    files?.close();
  });
  /** Timers without a delay are due without any time passing. */
  const settled = async <Result>(work: Promise<Result>): Promise<Result> => {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    work.then(over, over);
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      await platform.clock.advance(0);
    }
    return work;
  };
  const call = async (method: string, path: string, { as, headers, body }: Sent = {}) => {
    const response = await settled(
      fetch(new URL(path, url), {
        method,
        headers: { ...(as && { authorization: `Bearer ${tokens[as]}` }), ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    const text = await settled(response.text());
    // biome-ignore lint/suspicious/noExplicitAny: tests check what they read from a response.
    return { status: response.status, headers: response.headers, body: (text === "" ? undefined : JSON.parse(text)) as any };
  };
  return { url, store, files, clock: platform.clock, tokens, call, settled };
}

export const answers = [
  { questionId: "name", values: ["Ada"] },
  { questionId: "base", values: ["a"] },
];

const ask = {
  questions: [
    { id: "name", question: "What should it be called?" },
    { id: "base", question: "Which base?", type: "select", options: ["a", "b"] },
  ],
};

/** Asks over REST and returns the session's id. */
export async function askOne(hub: TestHub, input: object = ask): Promise<string> {
  const { status, body } = await hub.call("POST", "/api/sessions", { as: "asker", body: input });
  if (status !== 201) throw new Error(`The ask failed with ${status}: ${JSON.stringify(body)}`);
  return body.id;
}

/** Logs a browser in: its id, and both halves of its login, as its page's own requests send them. */
export async function logIn(hub: TestHub) {
  const { code } = (await hub.call("POST", "/auth/codes", { as: "desk" })).body;
  const answer = await hub.call("POST", "/auth/login", { body: { code, device: "Firefox on Linux" } });
  const [cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
  const { secret, hub: identity, device } = answer.body as { secret: string; hub: string; device: { id: string } };
  return { id: device.id, cookie, secret, identity, headers: { cookie, authorization: `Bearer ${secret}` } };
}
