import { AskboxError } from "@askbox/core";
import { answersFromAskUser, askUserEvents, askUserQuestions } from "@askbox/core/shapes";
import { eventFeed, joinedEvents, type SentEvent } from "@askbox/wire";
import type { Context } from "hono";
import { hubClosing } from "./asking.ts";
import { answererOf, check, type RestContext, type RestEnv, readJson } from "./context.ts";
import { askUserEventSchema, eventsQuerySchema, sentEventQuerySchema } from "./operations.ts";

/** Milliseconds between keep-alive comments on a stream, so that proxies do not close it. */
const keepAliveEvery = 15_000;
/** Milliseconds after which an SSE client reconnects. */
const comeBackAfter = 2_000;

/**
 * `GET /api/events`: the events of a desk's watcher, as server-sent events (HTML Standard, section 9.2). The first is `snapshot`, in parts
 * if it is large; each uses the event's own type as its name. Events have no id: a client that reconnects gets a snapshot, which covers
 * everything it missed. With `?as=ask_user` they are the events of that design.
 */
export async function watchInbox(c: Context<RestEnv>, { broker, platform, closing, log }: RestContext): Promise<Response> {
  const { project, agentId, machine, as } = check(eventsQuerySchema, c.req.query());
  const { clock } = platform;
  const { exchange } = c.env;
  const revoked = new AbortController();
  void exchange.finished.then(c.get("uses").begin(c.get("access"), () => revoked.abort()));
  const gone = AbortSignal.any([exchange.signal, revoked.signal, closing]);
  if (gone.aborted) throw hubClosing();
  const desk = broker.desk(answererOf(c));
  const stream = textStream();
  const begun = Promise.withResolvers<unknown>();
  let hasBegun = false;
  let cancelKeepAlive = () => {};
  const keepAlive = () => {
    cancelKeepAlive = clock.setTimer(keepAliveEvery, () => {
      // A reader with data pending needs no keep-alive.
      if (stream.bufferedAmount === 0) stream.send(": still here\n\n");
      keepAlive();
    });
  };
  // JSON contains no line breaks, so an event's data is one line.
  const write = (text: string, type: string) => stream.send(`event: ${type}\ndata: ${text}\n\n`);
  const joined = joinedEvents();
  const convert = askUserEvents(desk, (event) => gone.aborted || write(JSON.stringify(event), event.type));
  const outlet = {
    send(text: string, type: string) {
      if (as === undefined) write(text, type);
      else joined(JSON.parse(text) as SentEvent).forEach(convert);
      hasBegun = true;
      begun.resolve(undefined);
    },
    get bufferedAmount() {
      return stream.bufferedAmount;
    },
  };
  const onStuck = () => {
    log("info", "A reader of /api/events read nothing for a minute and was disconnected.");
    exchange.cut();
  };
  const end = () => {
    cancelKeepAlive();
    desk.close();
    stream.end();
  };
  gone.addEventListener("abort", end, { once: true });
  stream.send(`retry: ${comeBackAfter}\n\n`);
  keepAlive();
  const feed = eventFeed({ desk, filter: { project, agentId, machine }, outlet, clock, onStuck, signal: gone, log });
  // It resolves without an event if the client has disconnected.
  feed.then(begun.resolve, (error: unknown) => {
    end();
    if (hasBegun) exchange.cut();
    else begun.reject(error);
  });
  await begun.promise;
  c.header("content-type", "text/event-stream");
  c.header("x-accel-buffering", "no");
  return c.body(stream.body);
}

/** `POST /api/events`: what a UI of another design sends. */
export async function sendAskUserEvent(c: Context<RestEnv>, { broker }: RestContext): Promise<Response> {
  check(sentEventQuerySchema, c.req.query());
  const event = check(askUserEventSchema, await readJson(c));
  const desk = broker.desk(answererOf(c));
  try {
    const { id, questions } = await desk.get(event.requestId);
    if (askUserQuestions(questions) === undefined) {
      throw new AskboxError("VALIDATION", `Session ${id} is no ask_user request; settle it at /api/sessions/${id}.`);
    }
    const view =
      "answers" in event ? await desk.answer(id, { answers: answersFromAskUser(questions, event.answers) }) : await desk.cancel(id, {});
    return c.json(view);
  } finally {
    desk.close();
  }
}

/** A response body that is written over time. */
interface TextStream {
  body: ReadableStream<Uint8Array>;
  send(text: string): void;
  /** Bytes sent that the connection has not accepted yet. */
  readonly bufferedAmount: number;
  /** Closes the stream after what was sent. */
  end(): void;
}

function textStream(): TextStream {
  const encoder = new TextEncoder();
  let waiting: Uint8Array[] = [];
  let bufferedAmount = 0;
  let underWay = 0;
  let isEnded = false;
  /** The connection has accepted everything and asks for more. */
  let take: (() => void) | undefined;

  const flush = () => {
    if (take === undefined || (waiting.length === 0 && !isEnded)) return;
    const done = take;
    take = undefined;
    const chunk = joined(waiting);
    waiting = [];
    underWay = chunk.length;
    if (chunk.length > 0) controller?.enqueue(chunk);
    else controller?.close();
    done();
  };
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start(own) {
        controller = own;
      },
      pull() {
        bufferedAmount -= underWay;
        underWay = 0;
        return new Promise((resolve) => {
          take = resolve;
          flush();
        });
      },
      cancel() {
        isEnded = true;
        waiting = [];
        take = undefined;
      },
    },
    { highWaterMark: 0 },
  );
  return {
    body,
    send(text) {
      if (isEnded) return;
      const chunk = encoder.encode(text);
      waiting.push(chunk);
      bufferedAmount += chunk.length;
      flush();
    },
    get bufferedAmount() {
      return bufferedAmount;
    },
    end() {
      isEnded = true;
      flush();
    },
  };
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [only, ...others] = chunks;
  if (only !== undefined && others.length === 0) return only;
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
