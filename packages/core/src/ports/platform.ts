/** What the core needs from its environment besides a store. */
export interface Platform {
  clock: Clock;
  ids: Ids;
  digest: Digest;
}

/** The web-standard globals that `standardPlatform` uses; Node, Deno, Bun and browsers all have them. */
export interface StandardGlobals {
  Date: { now(): number };
  performance: { now(): number };
  setTimeout(callback: () => void, delay: number): unknown;
  clearTimeout(timer: never): void;
  crypto: {
    getRandomValues(array: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>;
    subtle: { digest(algorithm: string, data: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> };
  };
  // Works with any buffer type, since older compilers differ there.
  TextEncoder: new () => { encode(text: string): Uint8Array };
}

/** The longest delay that `setTimeout` supports: 2^31 − 1 ms, about 24.8 days. */
const maxTimeout = 2_147_483_647;

/** The clock of `standardPlatform`. Its timers do not keep a Node process alive; waiting calls do. */
export function standardClock(globals: Pick<StandardGlobals, "Date" | "performance" | "setTimeout" | "clearTimeout">): Clock {
  const setTimer = (delay: number, callback: () => void): (() => void) => {
    let timer: unknown;
    const arm = (rest: number) => {
      const part = Math.min(Math.max(rest, 0), maxTimeout);
      timer = globals.setTimeout(() => (rest > part ? arm(rest - part) : callback()), part);
      (timer as { unref?: () => void }).unref?.();
    };
    arm(delay);
    return () => globals.clearTimeout(timer as never);
  };
  let alive = 0;
  let referenced: unknown;
  const stay = () => {
    referenced = globals.setTimeout(stay, maxTimeout);
  };
  const stayAlive = (): (() => void) => {
    alive += 1;
    if (alive === 1) stay();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      alive -= 1;
      if (alive === 0) globals.clearTimeout(referenced as never);
    };
  };
  return { now: () => globals.Date.now(), monotonic: () => globals.performance.now(), setTimer, stayAlive };
}

/**
 * A `Platform` from a runtime's own globals: `standardPlatform(globalThis)`. Its timers do not keep a Node process alive; waiting calls do.
 */
export function standardPlatform(globals: StandardGlobals): Platform {
  const encoder = new globals.TextEncoder();
  return {
    clock: standardClock(globals),
    ids: createIds(pooled((array) => globals.crypto.getRandomValues(array))),
    digest: async (text) => {
      const hash = await globals.crypto.subtle.digest("SHA-256", encoder.encode(text) as Uint8Array<ArrayBuffer>);
      return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
    },
  };
}

/** Takes random bytes from the generator by the kilobyte, since each call of it costs more than the bytes. */
function pooled(fill: (array: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>): RandomSource {
  const pool = new Uint8Array(1_024);
  let used = pool.length;
  return {
    bytes(count) {
      if (used + count > pool.length) {
        fill(pool);
        used = 0;
      }
      used += count;
      return pool.slice(used - count, used);
    },
  };
}

/** Cancels a timer; does nothing if it was already cancelled or has fired. */
export type CancelTimer = () => void;

/** The broker's time source. Wall time may jump; monotonic time never does. */
export interface Clock {
  /** Wall time in milliseconds since the Unix epoch. */
  now(): number;
  /** Milliseconds since some fixed moment, unaffected by changes of the wall clock. */
  monotonic(): number;
  /** Calls back once after `delay` milliseconds of monotonic time (0 or more, no upper limit). Does not keep a process alive. */
  setTimer(delay: number, callback: () => void): CancelTimer;
  /** Keeps the process alive until the returned function is called, in runtimes that exit when idle. Used by waiting asks. */
  stayAlive?(): () => void;
}

/** A source of unguessable bytes. */
export interface RandomSource {
  /** `count` bytes (1–1,024) from a cryptographic generator. */
  bytes(count: number): Uint8Array;
}

/** Creates the identifiers that askbox uses. */
export interface Ids {
  /** A session id: 26 characters of lower-case Crockford base 32, with 128 random bits. It acts as a handle. */
  session(): string;
  /** An id for a question without one: `q_` and 6 base-36 characters, as in the `ask_user` contract. */
  question(): string;
  /** A random UUID (version 4 of RFC 9562), for a tool call. */
  call(): string;
}

const base32 = "0123456789abcdefghjkmnpqrstvwxyz";

/** A session id from 16 bytes. */
export function sessionId(bytes: Iterable<number>): string {
  let bits = 0;
  let value = 0;
  let id = "";
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      id += base32.charAt((value >>> bits) & 31);
      value &= (1 << bits) - 1;
    }
  }
  return id + base32.charAt((value << (5 - bits)) & 31);
}

/** `Ids` over a source of random bytes. */
export function createIds(random: RandomSource): Ids {
  return {
    session: () => sessionId(random.bytes(16)),
    question() {
      let value = 0;
      for (const byte of random.bytes(6)) value = value * 256 + byte;
      return `q_${(value % 36 ** 6).toString(36).padStart(6, "0")}`;
    },
    call() {
      let id = "";
      for (const [index, byte] of random.bytes(16).entries()) {
        if (index === 4 || index === 6 || index === 8 || index === 10) id += "-";
        const marked = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
        id += (marked + 0x100).toString(16).slice(1);
      }
      return id;
    },
  };
}

/** SHA-256 of a text (UTF-8), as lower-case hex. */
export type Digest = (text: string) => Promise<string>;

/** How serious a log entry is. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** Where askbox logs to. `data` is plain JSON and never contains a token or an answer. */
export type Log = (level: LogLevel, message: string, data?: Record<string, unknown>) => void;

/** A log that discards everything. */
export const silentLog: Log = () => {};

/** The part of the platform's `AbortSignal` that the core uses; compatible with every runtime. */
export interface Signal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}
