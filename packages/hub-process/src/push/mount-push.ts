import { AskboxError, type Log, type SharedState } from "@askbox/core";
import { isPrivate, readJsonFile, writePrivateFile } from "@askbox/home";
import type { Browsers, Device, MountContext, MountService } from "@askbox/hub";
import {
  endpointProblem,
  keptPushSchema,
  newVapidKey,
  type Push,
  type PushBrowser,
  type PushOptions,
  publicKeyOf,
  subscriptionSchema,
  type VapidKey,
  vapidKeySchema,
} from "@askbox/notify";
import * as z from "zod";
import { readBody } from "../approvals/read-body.ts";

/** Bytes of a body: a subscription and its signature. */
const maxBody = 8_192;
/** Browsers that get pushes: each push is sent to all of them. */
const maxBrowsers = 50;
/** Milliseconds. */
const maxTestTime = 120_000;

const signedSchema = z.object({
  id: z.string().min(1).max(100),
  origin: z.string().max(300),
  at: z.number(),
  text: z.string().max(maxBody),
  mac: z.string().regex(/^[0-9a-f]{64}$/),
});
/** What a browser's page asks for. */
const requestSchema = z.discriminatedUnion("do", [
  z.object({ do: z.literal("read") }),
  z.object({ do: z.literal("on"), subscription: subscriptionSchema, allow: z.boolean() }),
  z.object({ do: z.literal("off"), id: z.string().max(100).optional() }),
]);
const pressSchema = z.object({ to: z.string().min(1).max(100), token: z.string().min(1).max(100) });
const testSchema = z.object({ timeout: z.int().min(1_000).max(maxTestTime) });

interface MountPushOptions {
  /** Created when a browser first asks for it. */
  key(): Promise<VapidKey>;
  log: Log;
}

/** The part of a hub that sends pushes. */
export interface MountedPush {
  mount: MountService;
  /** What notifies, once it runs. */
  connect(push: Push | undefined): void;
  /** How it is notified. */
  options(rest: Pick<PushOptions, "answerAs" | "showText">): Promise<PushOptions>;
}

/**
 * Where the inbox's page subscribes its browser to pushes, and where its service worker sends button presses. The page signs with the key of its
 * login. A press has a token that only the browser can read, so it needs nothing else.
 */
export function mountPush({ key, log }: MountPushOptions): MountedPush {
  let push: Push | undefined;
  let browsers: () => Promise<Browsers> = () => Promise.reject(new Error("The hub was not created."));
  const mount: MountService = (context) => {
    browsers = once(context.browsers);
    return {
      paths: ["/push", "/push/press", "/push/test"],
      async fetch(request) {
        if (request.method !== "POST") throw new AskboxError("VALIDATION", "Send it with POST.");
        const path = new URL(request.url).pathname.slice(context.basePath.length);
        if (path === "/push/test") return Response.json(await test(context, request, push));
        if (path === "/push/press") return press(await bodyOf(request, pressSchema), push);
        return Response.json(await settings(context, request, await browsers(), { key, log }));
      },
      close: async () => {},
    };
  };
  return {
    mount,
    connect(running) {
      push = running;
    },
    async options(rest) {
      const there = await browsers();
      const forget = async ({ id, push: ended }: PushBrowser) => {
        const now = subscribed(there).find((browser) => browser.id === id);
        // A browser that gets a new subscription ends the old one.
        if (now?.push.endpoint === ended.endpoint) await there.keep(id, undefined);
      };
      return { ...rest, key, browsers: () => subscribed(there), forget };
    },
  };
}

const once = <Value>(get: () => Promise<Value>): (() => Promise<Value>) => {
  let got: Promise<Value> | undefined;
  return () => (got ??= get());
};

const subscribed = (browsers: Browsers): PushBrowser[] =>
  browsers.kept().flatMap(({ kept, ...browser }) => {
    const read = keptPushSchema.safeParse(kept);
    return read.success ? { ...browser, push: read.data } : [];
  });

async function bodyOf<Schema extends z.ZodType>(request: Request, schema: Schema): Promise<z.output<Schema>> {
  const body = await readBody(request, maxBody);
  if (body === undefined) throw new AskboxError("VALIDATION", `The body must have at most ${maxBody} bytes.`);
  return checked(schema, body);
}

function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new AskboxError("VALIDATION", `${issue?.path.join(".") || "The body"} is invalid: ${issue?.message ?? "unknown"}.`);
}

/** What the page shows: the hub's public key, and the browsers that get pushes. */
interface PushState {
  key: string;
  browsers: { id: string; name: string; person?: string | undefined; allow: boolean; current: boolean }[];
}

async function settings(
  { platform }: MountContext,
  request: Request,
  browsers: Browsers,
  { key, log }: MountPushOptions,
): Promise<PushState | { now: number }> {
  const signed = await bodyOf(request, signedSchema);
  const device = await browsers.signer(request, signed);
  if (device === undefined) throw new AskboxError("UNAUTHORIZED", "This browser is not logged in here.");
  if (device === "late") return { now: platform.clock.now() };
  const asked = checked(requestSchema, parsed(signed.text));
  if (asked.do === "on") await subscribe(browsers, device, asked);
  if (asked.do === "off") await browsers.keep(asked.id ?? device.id, undefined);
  if (asked.do !== "read") log("info", `Pushes were turned ${asked.do}`, { browser: device.name });
  return {
    key: publicKeyOf(await key()),
    browsers: subscribed(browsers).map(({ push, ...browser }) => ({ ...browser, allow: push.allow, current: browser.id === device.id })),
  };
}

async function subscribe(
  browsers: Browsers,
  { id }: Device,
  { subscription, allow }: { subscription: z.output<typeof subscriptionSchema>; allow: boolean },
): Promise<void> {
  const problem = endpointProblem(subscription.endpoint);
  if (problem !== undefined) throw new AskboxError("VALIDATION", `The address of the browser's push service ${problem}.`);
  const others = subscribed(browsers).filter((browser) => browser.id !== id);
  // A browser that logged in again has the same address.
  for (const other of others) if (other.push.endpoint === subscription.endpoint) await browsers.keep(other.id, undefined);
  if (others.length >= maxBrowsers) throw new AskboxError("CONFLICT", `At most ${maxBrowsers} browsers get pushes; turn one off first.`);
  await browsers.keep(id, { ...subscription, allow });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A refusal has one sentence for the person, too. */
async function press({ to, token }: z.output<typeof pressSchema>, push: Push | undefined): Promise<Response> {
  if (push === undefined) throw new AskboxError("HUB_UNREACHABLE", "The hub is starting; try again.");
  const result = await push.press(to, token);
  return Response.json(result, { status: result.status === "taken" ? 200 : 409 });
}

async function test(context: MountContext, request: Request, push: Push | undefined): Promise<object> {
  await context.authorize(request, "desk");
  const { timeout } = await bodyOf(request, testSchema);
  return { items: (await push?.test(timeout, AbortSignal.any([request.signal, context.closing]))) ?? [] };
}

const nameOfKey = "push-key";

/**
 * The key with which this home's hubs identify themselves to push services: from its file, which only its owner can read, or a new one.
 * Browsers subscribe for one key, so hubs that share an inbox share it. It is created when it is first needed; if
 * it can't be read or stored, the next call tries again.
 */
export function pushKey(path: string, shared: SharedState | undefined): () => Promise<VapidKey> {
  let key: Promise<VapidKey> | undefined;
  return () => {
    key ??= storedKey(path, shared).catch((error: unknown) => {
      key = undefined;
      throw error;
    });
    return key;
  };
}

async function storedKey(path: string, shared: SharedState | undefined): Promise<VapidKey> {
  const kept = await shared?.get(nameOfKey);
  if (kept !== undefined) return vapidKeySchema.parse(JSON.parse(kept));
  const own = vapidKeySchema.safeParse(isPrivate(path) ? readJsonFile(path) : undefined);
  const key = own.success ? own.data : newVapidKey();
  if (shared === undefined) {
    if (!own.success) writePrivateFile(path, `${JSON.stringify(key, undefined, 2)}\n`);
    return key;
  }
  if (await shared.swap(nameOfKey, undefined, JSON.stringify(key), null)) return key;
  return vapidKeySchema.parse(JSON.parse((await shared.get(nameOfKey)) ?? "null"));
}
