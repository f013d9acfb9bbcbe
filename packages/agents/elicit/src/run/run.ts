import { AskboxError, toAskboxError } from "@askbox/core";
import { canonicalJson, quote } from "@askbox/core/schemas";
import type * as z from "zod";
import { checkContent, formOfZod, jsonSchemaOfZod } from "../forms/zod-form.ts";
import { askInClient, askInInbox, choosePath } from "../paths.ts";
import {
  ElicitationNotSupportedError,
  type ElicitationOptions,
  ElicitationTimeoutError,
  type ElicitedBy,
  type ElicitedContent,
  type ElicitOptions,
  type ElicitQuestion,
  type ElicitResult,
  ttlRange,
} from "../question.ts";
import { type ElicitContext, runOf } from "../sdk.ts";
import { type CallContext, heartbeatOf, readCaller } from "../tool-call/tool-call.ts";
import type { Host, StoredAnswer } from "./call-book.ts";

/** Why a run ends without the handler's result. */
export type Reason =
  /** The call's result must ask the question. */
  | { kind: "ask"; via: "client" | "model"; asked: string; question: ElicitQuestion }
  /** The answer of this run is not valid, and may be sent again. */
  | { kind: "refuse"; message: string };

/** Where a run stops, and why. */
export interface Suspension {
  index: number;
  reason: Reason;
}

export interface Seed {
  answers?: readonly StoredAnswer[];
  done?: Readonly<Record<string, { value?: unknown }>>;
}

const never = new Promise<never>(() => {});

/**
 * One run of a tool's handler: the answers of earlier runs in order, answers that arrive during the run, and the results of `once`. A
 * question that cannot be answered during the run suspends it: the handler's promise never resolves, and the tool is run again with the
 * answer.
 */
export class Run {
  readonly answers: (StoredAnswer | undefined)[];
  readonly #done: Map<string, { value?: unknown }>;
  readonly #memos = new Map<string, Promise<unknown>>();
  readonly #suspended = Promise.withResolvers<Suspension>();
  /** Questions that cannot be answered during the run, and follow one that still may be. */
  readonly #deferred = new Map<number, Reason>();
  #pass: unknown;
  #position = 0;

  constructor({ answers = [], done = {} }: Seed = {}) {
    this.answers = [...answers];
    this.#done = new Map(Object.entries(done));
  }

  /** Resolves when the run is suspended. */
  get suspended(): Promise<Suspension> {
    return this.#suspended.promise;
  }

  get done(): Record<string, { value?: unknown }> {
    return Object.fromEntries(this.#done);
  }

  /** The index of the next question. A handler that the SDK restarted, which is another pass, counts from 0. */
  next(pass: unknown): number {
    if (this.#pass !== pass) {
      this.#pass = pass;
      this.#position = 0;
    }
    this.#position += 1;
    return this.#position - 1;
  }

  record(index: number, answer: StoredAnswer): void {
    this.answers[index] = answer;
    this.#suspendIfDue();
  }

  /** Suspends the run once all earlier questions are answered. Never resolves. */
  suspend(index: number, reason: Reason): Promise<never> {
    this.#deferred.set(index, reason);
    this.#suspendIfDue();
    return never;
  }

  /** Suspends the run at once. Never resolves. */
  suspendNow(reason: Reason): Promise<never> {
    this.#suspended.resolve({ index: this.answers.length, reason });
    return never;
  }

  /** The result of `work` under this name, from an earlier run if there is one. */
  once<Result>(name: string, work: () => Result | Promise<Result>): Promise<Result> {
    const known = this.#done.get(name);
    if (known !== undefined) return Promise.resolve(known.value as Result);
    const running = this.#memos.get(name) ?? this.#remember(name, work);
    this.#memos.set(name, running);
    return running as Promise<Result>;
  }

  /** Resolves when no `once` is running. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#memos.values());
  }

  async #remember(name: string, work: () => unknown): Promise<unknown> {
    try {
      const text = JSON.stringify(await work());
      // This run gets the same as a later run: plain JSON.
      const kept = text === undefined ? {} : { value: JSON.parse(text) as unknown };
      this.#done.set(name, kept);
      return "value" in kept ? kept.value : undefined;
    } finally {
      this.#memos.delete(name);
    }
  }

  #suspendIfDue(): void {
    let open = 0;
    while (this.answers[open] !== undefined) open += 1;
    const reason = this.#deferred.get(open);
    if (reason !== undefined) this.#suspended.resolve({ index: open, reason });
  }
}

/**
 * Runs `work` once per tool call, however often the tool is run again for an answer; later runs get the first result, as plain JSON.
 * Failures are retried. Names belong to the call; the same name means the same work. Throws `VALIDATION` outside a tool of
 * `withElicitation`.
 */
export function once<Result>(ctx: ElicitContext, name: string, work: () => Result | Promise<Result>): Promise<Result> {
  const run = runOf(ctx);
  if (run instanceof Run) return run.once(name, work);
  return Promise.reject(
    new AskboxError("VALIDATION", "once() needs the context of a tool's handler on a server that withElicitation has set up."),
  );
}

/** A tool call on a server that `withElicitation` has set up. */
export class CallRun extends Run {
  readonly host: Host;
  readonly tool: string;
  /** Whether the newest answer may be rejected, so that the model sends another. */
  readonly #correctable: boolean;
  readonly #replayed: number;

  constructor(host: Host, { tool, correctable = false, ...seed }: { tool: string; correctable?: boolean } & Seed) {
    super(seed);
    this.host = host;
    this.tool = tool;
    this.#correctable = correctable;
    this.#replayed = this.answers.length;
  }

  async elicit<Schema extends z.ZodType>(
    ctx: ElicitContext,
    call: CallContext,
    { message, schema, options }: { message: string; schema: Schema; options: ElicitOptions },
  ): Promise<ElicitResult<ElicitedContent<Schema>>> {
    const index = this.next(call.pass);
    const question = this.#read(message, schema, options);
    const asked = await this.host.platform.digest(canonicalJson([message, question.page === undefined ? question.schema : "url"]));
    const known = this.answers[index];
    if (known !== undefined) return this.#replay(index, known, { asked, schema, question });
    const caller = readCaller(this.host.client, call);
    const { person = false } = options;
    const path = choosePath(this.host.options, caller, { mode: question.page === undefined ? "form" : "url", person });
    if (path === undefined) throw noWay(this.host.options, person);
    // The model fills in any schema.
    if (path !== "model") question.form();
    if (path === "model" || (path === "client" && caller.modern)) return this.suspend(index, { kind: "ask", via: path, asked, question });
    const heartbeat = heartbeatOf(call, this.host.platform.clock, "Waiting for a person's answer.");
    try {
      const result =
        path === "client"
          ? await askInClient(call, question, caller.declared, this.host.platform.clock)
          : await askInInbox(this.host, ctx, { caller, signal: call.signal, question });
      const answer: StoredAnswer = { asked, message, ...result };
      this.record(index, answer);
      return await this.#checked(schema, question, answer);
    } finally {
      heartbeat.stop();
    }
  }

  async #replay<Schema extends z.ZodType>(
    index: number,
    known: StoredAnswer,
    { asked, schema, question }: { asked: string; schema: Schema; question: ElicitQuestion },
  ): Promise<ElicitResult<ElicitedContent<Schema>>> {
    if (known.asked !== asked) {
      const sentence = `Question ${index + 1} of ${this.tool} was ${quote(known.message)} when it was answered and is ${quote(question.message)}, or another form, now; let questions depend on the arguments, earlier answers and once() alone.`;
      throw new AskboxError("ELICITATION_CHANGED", sentence, { details: { index, tool: this.tool } });
    }
    if (known.status === "timed_out") throw new ElicitationTimeoutError(question.ttl);
    try {
      return await this.#checked(schema, question, known);
    } catch (error) {
      const { code, message: sentence } = toAskboxError(error);
      const isNew = index === this.#replayed - 1;
      if (code !== "INVALID_ANSWER" || !isNew || !this.#correctable) throw error;
      return this.suspendNow({ kind: "refuse", message: sentence });
    }
  }

  async #checked<Schema extends z.ZodType>(
    schema: Schema,
    { form }: ElicitQuestion,
    answer: StoredAnswer,
  ): Promise<ElicitResult<ElicitedContent<Schema>>> {
    const by = answer.by as ElicitedBy;
    if (answer.status !== "accept") return { status: answer.status === "decline" ? "decline" : "cancel", by };
    const checked = await checkContent(schema, by === "model" ? answer.content : form().valuesOf(answer.content));
    if (checked.ok) return { status: "accept", content: checked.content, by };
    throw new AskboxError("INVALID_ANSWER", `The answer does not fit what was asked: ${checked.message}.`, { details: { by } });
  }

  #read(text: string, schema: z.ZodType, options: ElicitOptions): ElicitQuestion {
    const message = text.trim() === "" ? `${this.tool} needs your input.` : text;
    const { mode = "form", ttl = ttlRange.default, onAskedBack } = options;
    if (!Number.isInteger(ttl) || ttl < ttlRange.min || ttl > ttlRange.max) {
      throw new AskboxError("VALIDATION", `ttl must be a whole number of milliseconds from ${ttlRange.min} to ${ttlRange.max}.`);
    }
    if (mode !== "form" && mode !== "url") throw new AskboxError("VALIDATION", `mode must be "form" or "url", not ${quote(mode)}.`);
    const form = () => formOfZod(schema);
    if (mode === "form") return { message, schema: jsonSchemaOfZod(schema), form, page: undefined, ttl, onAskedBack };
    const elicitationId = options.elicitationId ?? this.host.platform.ids.session();
    const url = String(options.url ?? this.host.options.urlOf?.(elicitationId));
    if (!URL.canParse(url)) {
      const sentence =
        "Mode url needs the page's whole address: give it as url, or give withElicitation a urlOf that makes one of an elicitationId.";
      throw new AskboxError("VALIDATION", sentence);
    }
    const empty = { type: "object", properties: {} } as const;
    const noForm = () => ({ form: empty, valuesOf: () => ({}) });
    return { message, schema: empty, form: noForm, page: { url, elicitationId }, ttl, onAskedBack };
  }
}

function noWay({ paths }: Pick<ElicitationOptions, "paths">, person: boolean): ElicitationNotSupportedError {
  const allowed = paths === undefined ? "" : ` The server allows only: ${paths.join(", ")}.`;
  const self = person ? " The question is for a person alone, so the model is not asked to pass it on." : "";
  return new ElicitationNotSupportedError(
    `Cannot ask: the client shows no forms, and there is no other way to reach its user.${allowed}${self}`,
  );
}
