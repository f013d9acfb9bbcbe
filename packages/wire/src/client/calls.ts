import type { Clock, Opened } from "@askbox/core";
import { AskboxError } from "@askbox/core/transport";
import { type OperationName, operations, type Params, type Result } from "../protocol/operations.ts";
import { firstIssue } from "../protocol/read-json.ts";

interface CallOptions<Name extends OperationName> {
  /** Called again each time the request is sent. */
  params: () => Params<Name>;
  /** The id by which the hub recognizes a repeated request. Default: a new one. */
  op?: string | undefined;
  /** Called once when the hub has stored the questions of an ask. */
  onOpened?: ((opened: Opened) => void) | undefined;
  /** Called with the request's id each time it is sent. */
  onSent?: ((id: number) => void) | undefined;
  /** Milliseconds; `Infinity` to wait for a connection forever. Default: the client's. */
  timeout?: number | undefined;
}

/** A request that its caller can cancel. */
export interface Call<Name extends OperationName> {
  readonly result: Promise<Result<Name>>;
  /**
   * Notifies the hub, if the request was sent on this connection, and rejects with the error. A result that still arrives goes to `late`.
   */
  abort(error: AskboxError, late?: (result: Result<Name>) => void): void;
}

interface Pending {
  method: OperationName | undefined;
  frame(id: number): { params?: unknown };
  onSent(id: number): void;
  onOpened(opened: Opened): void;
  resolve(result: unknown): void;
  reject(error: unknown): void;
  sentAs: number | undefined;
  timeout: number;
  canTimeOut: boolean;
  /** Why the last attempt failed, since it started waiting for a connection. */
  failure: AskboxError | undefined;
  cancelTimer(): void;
  /** The request does not keep the process alive. */
  letEnd(): void;
}

interface CallsOptions {
  clock: Clock;
  timeout: number;
  /** Creates operation ids. */
  nextOp(): string;
  send(message: object): void;
  isOpen(): boolean;
  wake(): void;
  /** Why the hub that is connected now would get a request wrong; undefined if it doesn't. */
  misread(method: OperationName, params: unknown): AskboxError | undefined;
}

/**
 * Requests without a reply. They outlive the connection: unanswered ones are sent again on the next connection, with the `op` by which the
 * hub recognizes them (see `repeat` in the table of operations).
 */
export class Calls {
  readonly #options: CallsOptions;
  readonly #pending = new Set<Pending>();
  readonly #sent = new Map<number, Pending>();
  /** Handlers for results of cancelled requests, until this connection ends. */
  readonly #givenUp = new Map<number, (result: unknown) => void>();
  #nextId = 1;

  constructor(options: CallsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#pending.size;
  }

  call<Name extends OperationName>(method: Name, options: CallOptions<Name>): Call<Name> {
    const { params, op = this.#options.nextOp(), onOpened = () => {}, onSent = () => {}, timeout } = options;
    const { repeat } = operations[method];
    const frame = (id: number) => ({ id, method, params: params(), op: repeat === "operation" || repeat === "held" ? op : undefined });
    const { pending, result } = this.#add(method, frame, timeout ?? this.#options.timeout);
    let isOpened = false;
    pending.onSent = onSent;
    pending.onOpened = (opened) => {
      // Called again if the request had to be sent again.
      if (!isOpened) onOpened(opened);
      isOpened = true;
    };
    this.#start(pending);
    return {
      result: result.then((value) => checked(method, value)),
      abort: (error, late) => {
        const { sentAs } = pending;
        if (sentAs !== undefined) {
          this.#options.send({ cancel: sentAs });
          if (late !== undefined) this.#givenUp.set(sentAs, (value) => late(checked(method, value)));
        }
        this.#settle(pending, () => pending.reject(error));
      },
    };
  }

  /** Resolves once connected. */
  async connected(): Promise<void> {
    const { pending, result } = this.#add(undefined, () => ({}), this.#options.timeout);
    this.#start(pending);
    await result;
  }

  opened(id: number, opened: Opened): void {
    this.#sent.get(id)?.onOpened(opened);
  }

  reply(id: number, reply: { result?: unknown } | { error: AskboxError }): void {
    const late = this.#givenUp.get(id);
    this.#givenUp.delete(id);
    if (late !== undefined && !("error" in reply)) late(reply.result);
    const pending = this.#sent.get(id);
    if (pending === undefined) return;
    if (!("error" in reply)) return this.#settle(pending, () => pending.resolve(reply.result));
    if (reply.error.code !== "HUB_CLOSING" || isOnce(pending)) return this.#settle(pending, () => pending.reject(reply.error));
    // Rejected before it began: the hub is about to close the channel, and the next hub will get the request.
    this.#unsend(pending);
    return this.#arm(pending);
  }

  connectionOpened(): void {
    for (const pending of [...this.#pending]) {
      pending.cancelTimer();
      pending.canTimeOut = false;
      // Requests made by listeners of the state change have already been sent.
      if (pending.sentAs === undefined) this.#dispatch(pending);
    }
  }

  lost(): void {
    this.#givenUp.clear();
    for (const pending of [...this.#pending]) {
      const wasSent = pending.sentAs !== undefined;
      this.#unsend(pending);
      // A hub that closed the connection after `stop` has stopped, and a call report must not count twice.
      if (wasSent && isOnce(pending)) this.#settle(pending, () => pending.resolve(null));
      else this.#arm(pending);
    }
  }

  attemptFailed(error: AskboxError): void {
    for (const pending of [...this.#pending]) {
      pending.failure = error;
      if (pending.canTimeOut) this.#settle(pending, () => pending.reject(error));
    }
  }

  rejectAll(error: AskboxError): void {
    for (const pending of [...this.#pending]) this.#settle(pending, () => pending.reject(error));
  }

  #add(method: OperationName | undefined, frame: Pending["frame"], timeout: number) {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const pending: Pending = {
      method,
      frame,
      onSent: () => {},
      onOpened: () => {},
      resolve,
      reject,
      sentAs: undefined,
      timeout,
      canTimeOut: false,
      failure: undefined,
      cancelTimer: () => {},
      // A live view waits for a connection indefinitely, so it does not keep the process alive while disconnected.
      letEnd: timeout === Number.POSITIVE_INFINITY ? () => {} : (this.#options.clock.stayAlive?.() ?? (() => {})),
    };
    this.#pending.add(pending);
    return { pending, result: promise };
  }

  #start(pending: Pending): void {
    if (this.#options.isOpen()) return this.#dispatch(pending);
    this.#arm(pending);
    this.#options.wake();
  }

  #dispatch(pending: Pending): void {
    if (pending.method === undefined) return this.#settle(pending, () => pending.resolve(undefined));
    const id = this.#nextId;
    const frame = pending.frame(id);
    const misread = this.#options.misread(pending.method, frame.params);
    if (misread !== undefined) return this.#settle(pending, () => pending.reject(misread));
    this.#nextId += 1;
    pending.sentAs = id;
    this.#sent.set(id, pending);
    pending.onSent(id);
    this.#options.send(frame);
  }

  #arm(pending: Pending): void {
    pending.cancelTimer();
    pending.failure = undefined;
    if (pending.timeout === Number.POSITIVE_INFINITY) return;
    pending.cancelTimer = this.#options.clock.setTimer(pending.timeout, () => {
      // One attempt is always awaited, so a timeout of 0 means exactly one attempt.
      const { failure } = pending;
      if (failure === undefined) pending.canTimeOut = true;
      else this.#settle(pending, () => pending.reject(failure));
    });
  }

  #unsend(pending: Pending): void {
    if (pending.sentAs !== undefined) this.#sent.delete(pending.sentAs);
    pending.sentAs = undefined;
  }

  #settle(pending: Pending, how: () => void): void {
    pending.cancelTimer();
    pending.letEnd();
    this.#unsend(pending);
    this.#pending.delete(pending);
    how();
  }
}

const isOnce = ({ method }: Pending) => method !== undefined && operations[method].repeat === "once";

function checked<Name extends OperationName>(method: Name, value: unknown): Result<Name> {
  const read = operations[method].result.safeParse(value);
  if (read.success) return read.data as Result<Name>;
  throw new AskboxError("INTERNAL", `The hub's reply to ${method} cannot be read: ${firstIssue(read.error)}. Update the older of the two.`);
}
