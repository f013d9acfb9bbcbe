import { randomInt } from "node:crypto";
import type { Clock } from "@askbox/core";
import type { Ended } from "@askbox/notify";
import * as z from "zod";
import { parsed } from "../http.ts";
import { type OpenSocket, type Socket, watchdog } from "../socket.ts";

/** Kinds of frames (docs.discord.com/developers/topics/opcodes-and-status-codes). */
const ops = { dispatch: 0, heartbeat: 1, identify: 2, resume: 6, reconnect: 7, invalid: 9, hello: 10 };
/** Messages in servers and to the bot alone. Presses and forms come without. None of them needs Discord's approval. */
const intents = (1 << 9) | (1 << 12);
/** Heartbeats are this often, in ms, or more often if Discord asks for that: a silent connection is noticed after two. */
const heartbeat = 3_500;
export const unknownToken = "it does not know the bot's token";
/** Why a connection was closed that only a person can fix, by its code. */
const refusals: Readonly<Record<number, string>> = {
  4004: unknownToken,
  4010: "it refuses how askbox connects (4010)",
  4011: "the bot is in more servers than one connection can serve",
  4012: "it refuses how askbox connects (4012)",
  4013: "it refuses how askbox connects (4013)",
  4014: "it does not let the bot read messages",
};
/** Codes after which the same session can't go on. */
const lost: readonly number[] = [4003, 4007, 4009];

/** Where reading goes on: a session, where it is, and the number of its last event. */
export const positionSchema = z.object({ session: z.string().max(200), url: z.url({ protocol: /^wss?$/ }), seq: z.number().int() });
export type Position = z.output<typeof positionSchema>;

const frameSchema = z.object({ op: z.number(), d: z.unknown().optional(), s: z.number().int().nullish(), t: z.string().nullish() });
const helloSchema = z.object({ heartbeat_interval: z.number().min(1_000) });
const readySchema = z.object({ session_id: z.string().max(200), resume_gateway_url: z.url({ protocol: /^wss?$/ }) });

export interface GatewayOptions {
  url: string;
  token: string;
  /** Where to go on; undefined to begin a session. */
  position: Position | undefined;
  clock: Clock;
  openSocket: OpenSocket;
  signal: AbortSignal;
  /** It is read from here. */
  onReady(position: Position): void;
  onEvent(type: string, data: unknown, position: Position): void;
}

export interface GatewayEnd {
  ended: Ended;
  /** Where to go on; undefined if a session has to begin. */
  position: Position | undefined;
}

/** One connection to Discord's gateway, from its opening to its end (docs.discord.com/developers/events/gateway). Never rejects. */
export async function readGateway(options: GatewayOptions): Promise<GatewayEnd> {
  const { url, token, clock, openSocket, signal, onReady, onEvent } = options;
  let { position } = options;
  const end = Promise.withResolvers<GatewayEnd>();
  const closed = Promise.withResolvers<void>();
  let isOpen = true;
  const finish = (ended: Ended, isLost = false) => end.resolve({ ended, position: isLost ? undefined : position });

  const onFrame = (socket: Socket, text: string) => {
    dog.sign();
    const { op, d, s, t } = frameSchema.safeParse(parsed(text)).data ?? { op: undefined };
    if (op === ops.hello) {
      dog.stop();
      dog = watch(socket, Math.min(heartbeat, helloSchema.safeParse(d).data?.heartbeat_interval ?? heartbeat));
      if (position === undefined)
        send(socket, ops.identify, { token, intents, properties: { os: "linux", browser: "askbox", device: "askbox" } });
      else send(socket, ops.resume, { token, session_id: position.session, seq: position.seq });
    } else if (op === ops.heartbeat) beat(socket);
    else if (op === ops.reconnect) finish({ isDone: true });
    else if (op === ops.invalid) finish({ after: d === true ? 0 : randomInt(1_000, 5_000) }, d !== true);
    else if (op === ops.dispatch) onDispatch(t ?? "", d, s ?? 0);
  };
  const onDispatch = (type: string, data: unknown, seq: number) => {
    const ready = type === "READY" ? readySchema.safeParse(data).data : undefined;
    if (ready !== undefined) position = { session: ready.session_id, url: ready.resume_gateway_url, seq };
    if (position === undefined) return;
    position = { ...position, seq };
    if (type === "READY" || type === "RESUMED") onReady(position);
    else onEvent(type, data, position);
  };
  const beat = (socket: Socket) => send(socket, ops.heartbeat, position?.seq ?? null);
  const watch = (socket: Socket, every: number) => watchdog(clock, { every, ask: () => beat(socket), onSilent: () => finish({}) });

  let opened: Promise<Socket>;
  let dog = { sign() {}, stop() {} };
  try {
    opened = openSocket(`${url.replace(/\/$/, "")}/?v=10&encoding=json`, {
      // The first frame may come before the connection is known here.
      onText: (text) => void opened.then((socket) => onFrame(socket, text)),
      onSign() {},
      onClose(code) {
        isOpen = false;
        finish(...afterClose(code));
        closed.resolve();
      },
    });
    const socket = await opened;
    dog = watch(socket, heartbeat);
    const stop = () => finish({});
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    const result = await end.promise;
    signal.removeEventListener("abort", stop);
    dog.stop();
    // Without a closing handshake, which would end the session, too.
    if (isOpen) socket.end();
    await closed.promise;
    return result;
  } catch (error) {
    return { ended: { why: `it cannot be reached (${error instanceof Error ? error.message : String(error)})` }, position };
  }
}

function afterClose(code: number): [ended: Ended, isLost: boolean] {
  const why = refusals[code];
  return why === undefined ? [{}, lost.includes(code)] : [{ why, isRefused: true }, true];
}

const send = (socket: Socket, op: number, d: unknown) => socket.send(JSON.stringify({ op, d }));
