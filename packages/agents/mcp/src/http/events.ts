import type { Platform } from "@askbox/core";
import type { News } from "@askbox/core/hubs";
import { endingKinds } from "@askbox/core/stores";
import * as z from "zod";
import { type AnswerEvents, eventErrors, type NamedAsker } from "../events.ts";
import { anybody, type Owner } from "./servers.ts";

/**
 * The events of the hub: one type, which says that something happened to a question of the asker, and never what; `get_answer` has that, and what
 * it has given is no event any more. They are read from the store for each request, so nothing is kept for a client that polls. Its cursor has
 * what it got lately:
 *
 * An event may become visible after another that is newer: it is written at the same moment, or by a hub whose clock is behind. So a poll looks
 * back for 10 minutes, and leaves out what the cursor names. With more in that time than a cursor has room for, it looks back less.
 */

const type = {
  name: "question.changed",
  description: `Something waits for you: a question that you asked has ended (${endingKinds.join(", ")}), was answered after its deadline (replied), or a person asked something back (askedBack). To see what they said, call get_answer with the sessionId.`,
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
  payloadSchema: {
    type: "object",
    properties: {
      sessionId: { type: "string", description: "For get_answer." },
      status: { type: "string", enum: [...endingKinds, "replied", "askedBack"] },
    },
    required: ["sessionId", "status"],
  },
};

/** How far a poll looks back before its cursor, and the longest time for which events are replayed, in ms. */
const [lookBack, longest] = [600_000, 7 * 86_400_000];
/** Events in one result. */
const page = { most: 100, usual: 50 };
/** The events that a cursor names; each takes 20 characters. */
const maxNamed = 100;
/** When a client should poll again, in ms. */
const nextPollMs = 5_000;

type Subscribing = (owner: Owner, caller: NamedAsker, params: unknown) => Promise<Record<string, unknown>>;

/** Answers the requests of one owner; webhooks only where there is somebody to keep their subscriptions. */
export function answerEvents(
  owner: Owner,
  { clock, digest }: Pick<Platform, "clock" | "digest">,
  subscriptions?: Record<"subscribe" | "unsubscribe", Subscribing> | undefined,
): AnswerEvents {
  return async ({ method, params, asker }) => {
    if (method === "events/list") {
      parsed(z.object({ cursor: z.undefined("there is only one page").nullish() }), params);
      return { events: [{ ...type, delivery: subscriptions === undefined ? ["poll"] : ["poll", "webhook"] }] };
    }
    if (parsed(nameSchema, params).name !== type.name) throw eventErrors.notFound("event");
    if (method === "events/poll") {
      const asked = parsed(pollSchema, params);
      return { ...(await readEvents(await asker(), asked, { now: clock.now(), digest })), nextPollMs };
    }
    if (method === "events/stream" || subscriptions === undefined) {
      throw eventErrors.unsupported(method === "events/stream" ? "push" : "webhook");
    }
    if (owner.owner === anybody) throw eventErrors.forbidden("A webhook needs a token");
    return subscriptions[method === "events/subscribe" ? "subscribe" : "unsubscribe"](owner, await asker(), params);
  };
}

const ms = z.int().min(0);
const nameSchema = z.object({ name: z.string().max(200) });
const namedSchema = nameSchema.extend({ arguments: z.strictObject({}).nullish() });
const positionSchema = namedSchema.extend({ cursor: z.string().max(4_000).nullish(), maxAgeMs: ms.nullish() });
const pollSchema = positionSchema.extend({ maxEvents: z.int().min(1).nullish() });
const urlSchema = z.url().max(2_000);
export const unsubscribeSchema = namedSchema.extend({ delivery: z.object({ url: urlSchema }) });
export const subscribeSchema = positionSchema.extend({
  ttlMs: ms.nullish(),
  delivery: z.object({ mode: z.string().max(200), url: urlSchema, secret: z.string().max(200) }),
});

export function parsed<Schema extends z.ZodType>(schema: Schema, params: unknown): z.output<Schema> {
  const read = schema.safeParse(params);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw eventErrors.invalid(`${issue?.path.join(".") || "params"}: ${issue?.message.slice(0, 200)}.`);
}

/** Where a client is among the events, which are in order of their time and name. */
const cursorSchema = z.object({
  /** When it got everything so far (wall time). */
  at: z.number(),
  /** What is new comes after this one, and is not `named`. */
  from: z.object({ at: z.number(), id: z.string() }),
  named: z.array(z.string()),
});
type Position = z.output<typeof cursorSchema>;

const isAfter = (one: Pick<News, "at" | "id">, other: Pick<News, "at" | "id">) =>
  one.at === other.at ? one.id > other.id : one.at > other.at;

type Asked = Omit<z.output<typeof pollSchema>, "name" | "arguments">;

/** Where a client begins. A cursor that can't be served is no error: what is skipped makes it `truncated`. */
export function startOf({ cursor, maxAgeMs }: Pick<Asked, "cursor" | "maxAgeMs">, now: number) {
  const known = positionOf(cursor);
  const floor = now - Math.min(maxAgeMs ?? longest, longest);
  const begin = (at: number) => ({ at, from: { at, id: "" }, named: [] });
  const isSkipped = known === undefined ? cursor !== undefined && cursor !== null : floor > known.at;
  const position: Position = known === undefined ? begin(now) : isSkipped ? { ...known, ...begin(floor), named: known.named } : known;
  return { position, cursor: cursorOf(position), truncated: isSkipped, isNew: known === undefined };
}

/** The events after a cursor. */
export async function readEvents({ port, info }: NamedAsker, asked: Asked, { now, digest }: { now: number } & Pick<Platform, "digest">) {
  const { position: start, cursor, truncated, isNew } = startOf(asked, now);
  if (port.news === undefined) throw eventErrors.unsupported("poll");
  if (isNew) return { events: [], cursor, truncated, hasMore: false };
  // The clock may have been set back.
  const since = start.from.at > now ? { at: now - lookBack, id: "" } : start.from;
  const { news, isWhole } = await port.news(info, Math.max(since.at, now - longest));
  const named = new Set(start.named);
  const all = await Promise.all(
    news.filter((one) => isAfter(one, since)).map(async (one) => ({ ...one, name: (await digest(one.id)).slice(0, 12) })),
  );
  const fresh = all.filter(({ name }) => !named.has(name));
  const given = fresh.slice(0, Math.min(asked.maxEvents ?? page.usual, page.most));
  const hasMore = given.length < fresh.length;
  const at = hasMore ? (given.at(-1)?.at ?? now) : now;
  const left = new Set(fresh.slice(given.length));
  const got = all.filter((one) => !left.has(one));
  const recent = got.filter((one) => one.at >= at - lookBack).slice(-maxNamed);
  // Whatever is left is newer than all that a cursor has no room for: that is at most as much as was given, and the oldest.
  const from = got.at(-recent.length - 1) ?? since;
  const position = { at, from: { at: from.at, id: from.id }, named: recent.map(({ name }) => name) };
  return { events: given.map(occurrenceOf), cursor: cursorOf(position), truncated: truncated || !isWhole, hasMore };
}

const occurrenceOf = ({ id, sessionId, status, at }: News) => ({
  eventId: id,
  name: type.name,
  timestamp: new Date(at).toISOString(),
  data: { sessionId, status },
});

const cursorOf = (position: Position) => Buffer.from(JSON.stringify(position)).toString("base64url");

const positionOf = (cursor: string | null | undefined): Position | undefined =>
  cursorSchema.safeParse(jsonIn(Buffer.from(cursor ?? "", "base64url").toString())).data;

/** Undefined for what is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
