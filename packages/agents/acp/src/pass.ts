import type { Clock, Log } from "@askbox/core";
import type { AcpAsk, AcpInbox, Asking, EditorDecision, InboxDecision } from "./inbox.ts";
import type { LineReader, LineWriter } from "./lines.ts";
import {
  cancelled,
  cancelRequest,
  failure,
  idOf,
  isObject,
  isResponse,
  onceOption,
  optionsOf,
  own,
  type PermissionOption,
  read,
  requestCancelled,
  response,
  selected,
  textAt,
  written,
} from "./messages.ts";
import { declareForms, type ServerEntry, withServer } from "./rewrite.ts";
import { dropOldest, ToolCalls } from "./tool-calls.ts";

/**
 * The pass-through between an editor and its agent: a pure pipe with a second answerer. Each line is forwarded as it came; copies are read to
 * know which requests of the agent wait for a person. Such a request (`Open`) goes to the editor, to the inbox, or to both, and is answered
 * exactly once (`#settle`):
 *
 * - The inbox decides first: the agent gets it, the editor a `$/cancel_request`, and whatever the editor still says about it is swallowed.
 * - The editor answers first: the inbox records it as any surface's decision, and says which one stands, since a person may have decided there
 *   at the same time. It has two seconds for that; without a hub, the editor's answer is forwarded as it came.
 * - The editor answers with an error: that is no answer as long as the inbox may give one.
 * - The turn is cancelled, the session closed, or the agent takes its request back: the agent gets its answer at once, and a later decision
 *   never reaches it. The same for a request that was on its way when the turn was cancelled.
 * - One of the processes ends: nothing is answered any more, and the inbox learns that the agent has left.
 */

/** Milliseconds. How long the inbox may take to say whether a decision stands that was made before the editor's. */
const standsWithin = 2_000;
/** How many are remembered: answered requests of the agent, sessions, and requests of the editor. */
const most = { answered: 10_000, sessions: 1_000, requests: 1_000 };

/** Editors, by their `clientInfo.name`, that show a warning for each `$/cancel_request`. */
const warns = /^(agentic|avante)\b/i;

/** Who may answer a permission request. `inbox`: the editor isn't shown it, unless there is no hub. */
export const answerers = ["editor", "inbox", "both"] as const;
export type Answerers = (typeof answerers)[number];

export interface PassOptions {
  toAgent: LineWriter;
  toEditor: LineWriter;
  inbox: AcpInbox;
  answer: Answerers;
  /** Milliseconds. How long a request is only shown in the editor. */
  after: number;
  /** Whether forms are declared for an editor that doesn't know them, to be answered in the inbox. */
  forms: boolean;
  /** Our MCP server, to be added to each session. */
  server?: ServerEntry | undefined;
  clock: Pick<Clock, "setTimer">;
  log: Log;
  /** The folder of a session that doesn't say its own. */
  cwd: string;
  /** Hears what becomes of each request. */
  watch?: PassWatch | undefined;
}

/** This process' own. */
export const timers: PassOptions["clock"] = {
  setTimer(after, run) {
    const timer = setTimeout(run, after);
    return () => clearTimeout(timer);
  },
};

export interface PassWatch {
  asked?(ask: AcpAsk): void;
  decided?(ask: AcpAsk, decision: InboxDecision): void;
  /** The inbox was asked, and nobody decided there. */
  undecided?(ask: AcpAsk): void;
  away?(why: string, isRefused: boolean): void;
}

/** A request that waits for a person. */
interface Open {
  id: string;
  ask: AcpAsk;
  options: readonly PermissionOption[];
  /** Whether the editor has it. */
  isShown: boolean;
  asking: Asking | undefined;
  /** The editor's answer, until it is clear whether it stands. */
  said: Buffer | undefined;
  /** Whether no answer can be expected from the inbox. */
  isAlone: boolean;
  /** Cancels the timer that runs for it. */
  cancelTimer(): void;
}

export class Pass {
  readonly #options: PassOptions;
  readonly #calls = new ToolCalls();
  readonly #open = new Map<string, Open>();
  /** Whether the editor was shown it, by id. */
  readonly #answered = new Map<string, boolean>();
  /** Requests of the editor whose response is read. */
  readonly #requests = new Map<string, { method: string; session?: string | undefined; cwd?: string | undefined }>();
  /** The folder of each session that the editor opened. */
  readonly #sessions = new Map<string, string>();
  /** Sessions whose turn was cancelled and has not ended. */
  readonly #cancelling = new Set<string>();
  /** The sessions at work, as the agent reports them in version 2, which answers a prompt at once. */
  readonly #working = new Set<string>();
  #version: unknown = 1;
  #agent: AcpAsk["agent"] = { name: "acp-agent" };
  #editor = "the editor";
  #name = "";
  #hasForms = false;
  /** Whether forms were declared although the editor has none. */
  #ownForms = false;
  #asked = 0;

  constructor(options: PassOptions) {
    this.#options = options;
  }

  readonly fromAgent: LineReader = {
    line: (line) => this.#fromAgent(line),
    piece: (bytes, isEnd) => this.#options.toEditor.piece(bytes, isEnd),
  };

  readonly fromEditor: LineReader = {
    line: (line) => this.#fromEditor(line),
    piece: (bytes, isEnd) => this.#options.toAgent.piece(bytes, isEnd),
  };

  /** Nothing more can be answered: the agent or the editor has gone. Resolves when the inbox knows. */
  async end(): Promise<void> {
    const left = [...this.#open.values()];
    this.#open.clear();
    for (const open of left) open.cancelTimer();
    await Promise.all(left.map((open) => open.asking?.drop("The agent has left.")));
  }

  #fromAgent(line: Buffer): void {
    const message = read(line);
    const { toEditor } = this.#options;
    if (!isObject(message)) return toEditor.line(line);
    if (isResponse(message)) {
      this.#noteResponse(message);
      return toEditor.line(line);
    }
    const { method, params } = message;
    const id = idOf(message);
    if (method === "session/update") {
      this.#calls.note(params, line);
      this.#noteState(textAt(params, "sessionId"), own(params, "update"));
    }
    if (method === "$/cancel_request") return this.#takenBack(line, idOf(params, "requestId"));
    if (id !== undefined) {
      this.#answered.delete(id);
      if (method === "session/request_permission" && this.#permission(id, params, line)) return;
      if (method === "elicitation/create" && own(params, "mode") === "form" && this.#form(id, params, line)) return;
    }
    toEditor.line(line);
  }

  #fromEditor(line: Buffer): void {
    const message = read(line);
    const { toAgent } = this.#options;
    if (Array.isArray(message) && message.some((each) => this.#isAnswer(each))) {
      // Of a batch, only what may not go on as it came is taken out.
      for (const text of message.map(written)) if (text !== undefined) this.#fromEditor(Buffer.from(`${text}\n`));
      return;
    }
    if (!isObject(message)) return toAgent.line(line);
    if (isResponse(message)) {
      const id = idOf(message);
      const open = id === undefined ? undefined : this.#open.get(id);
      if (open !== undefined) return this.#editorSaid(open, message, line);
      if (id === undefined || !this.#answered.has(id)) toAgent.line(line);
      return;
    }
    const { method, params } = message;
    const session = textAt(params, "sessionId");
    const id = idOf(message);
    switch (method) {
      case "initialize":
        return toAgent.line(this.#initialize(id, message, line));
      case "session/new":
      case "session/load":
      case "session/resume":
      case "session/fork": {
        const cwd = textAt(params, "cwd");
        this.#noteRequest(id, { method, cwd });
        if (session !== undefined && cwd !== undefined && method !== "session/fork") this.#noteSession(session, cwd);
        const { server } = this.#options;
        return toAgent.line(server === undefined || method === "session/fork" ? line : withServer(message, line, server));
      }
      case "session/prompt":
        this.#noteRequest(id, { method, session });
        if (session !== undefined) this.#cancelling.delete(session);
        return toAgent.line(line);
      case "session/cancel":
      case "session/close":
      case "session/delete":
        toAgent.line(line);
        if (session === undefined) return;
        if (method !== "session/cancel") {
          this.#calls.forget(session);
          this.#working.delete(session);
          this.#cancelling.delete(session);
        } else if (this.#isAtWork(session)) this.#cancelling.add(session);
        for (const open of [...this.#open.values()]) if (this.#isUnder(open.ask.session, session)) this.#withdraw(open);
        return;
      default:
        return toAgent.line(line);
    }
  }

  #isAnswer(message: unknown): boolean {
    const id = isResponse(message) ? idOf(message) : undefined;
    return id !== undefined && (this.#open.has(id) || this.#answered.has(id));
  }

  #initialize(id: string | undefined, message: Record<string, unknown>, line: Buffer): Buffer {
    const { params } = message;
    const info = own(params, "clientInfo");
    this.#name = textAt(info, "name") ?? "";
    this.#editor = textAt(info, "title") ?? textAt(info, "name") ?? this.#editor;
    this.#noteRequest(id, { method: "initialize" });
    const form = own(own(own(params, "clientCapabilities"), "elicitation"), "form");
    this.#hasForms = form !== undefined && form !== null;
    this.#ownForms = this.#options.forms && !this.#hasForms;
    return this.#ownForms ? declareForms(message, line) : line;
  }

  #isAtWork(session: string): boolean {
    return this.#working.has(session) || [...this.#requests.values()].some((each) => each.session === session);
  }

  #noteState(session: string | undefined, update: unknown): void {
    if (this.#version !== 2 || session === undefined || own(update, "sessionUpdate") !== "state_update") return;
    if (own(update, "state") === "idle") {
      this.#working.delete(session);
      this.#cancelling.delete(session);
    } else if (this.#sessions.has(session)) this.#working.add(session);
  }

  #noteRequest(id: string | undefined, request: { method: string; session?: string | undefined; cwd?: string | undefined }): void {
    if (id === undefined) return;
    this.#requests.set(id, request);
    dropOldest(this.#requests, most.requests);
  }

  #noteSession(session: string, cwd: string): void {
    this.#sessions.set(session, cwd);
    dropOldest(this.#sessions, most.sessions);
  }

  #noteResponse(message: Record<string, unknown>): void {
    const id = idOf(message);
    const request = id === undefined ? undefined : this.#requests.get(id);
    if (id === undefined || request === undefined) return;
    this.#requests.delete(id);
    const { result } = message;
    const session = textAt(result, "sessionId");
    if (request.method === "initialize") {
      this.#version = own(result, "protocolVersion");
      const info = own(result, "agentInfo");
      const name = textAt(info, "name");
      if (name !== undefined) this.#agent = { name, title: textAt(info, "title") };
    } else if (request.method === "session/prompt") {
      if (request.session !== undefined && this.#version !== 2) this.#cancelling.delete(request.session);
    } else if (session !== undefined) this.#noteSession(session, request.cwd ?? this.#options.cwd);
  }

  /** Whether what happens to a session happens to the other: a subagent asks in a session that the editor hasn't opened. */
  #isUnder(session: string, of: string): boolean {
    return session === of || (!this.#sessions.has(session) && this.#sessions.has(of));
  }

  #permission(id: string, params: unknown, line: Buffer): boolean {
    const { answer, toAgent } = this.#options;
    const session = textAt(params, "sessionId");
    if (session === undefined) return false;
    if ([...this.#cancelling].some((each) => this.#isUnder(session, each))) {
      // It was on its way when its turn was cancelled.
      this.#remember(id, false);
      toAgent.own(response(id, cancelled));
      return true;
    }
    if (answer === "editor") return false;
    const options = optionsOf(params);
    const toolCall = own(params, "toolCall") ?? own(own(params, "subject"), "toolCall");
    const call = textAt(toolCall, "toolCallId");
    const calls = call === undefined ? [] : this.#calls.linesOf(session, call);
    // What can't be allowed once, or can't be shown completely, is the editor's.
    if (calls === undefined || onceOption(options, "allow") === undefined) return false;
    return this.#start(id, { kind: "permission", session, request: line, calls }, options, answer === "both");
  }

  #form(id: string, params: unknown, line: Buffer): boolean {
    const { answer } = this.#options;
    if (!this.#ownForms && answer === "editor") return false;
    const session = textAt(params, "sessionId") ?? "acp";
    const isShown = !this.#ownForms && answer === "both";
    return this.#start(id, { kind: "form", session, request: line, calls: [] }, [], isShown);
  }

  /** Opens a request. Returns true: the line is forwarded here, if it is. */
  #start(id: string, asked: Pick<AcpAsk, "kind" | "session" | "request" | "calls">, options: Open["options"], isShown: boolean): true {
    const { clock, after, cwd } = this.#options;
    this.#asked += 1;
    const ask: AcpAsk = {
      ...asked,
      request: Buffer.from(asked.request),
      key: `${this.#asked}`,
      agent: this.#agent,
      cwd: this.#sessions.get(asked.session) ?? (this.#sessions.size === 1 ? [...this.#sessions.values()][0] : cwd),
    };
    const open: Open = { id, ask, options, isShown: false, asking: undefined, said: undefined, isAlone: false, cancelTimer: () => {} };
    // An agent that asks with the same id again no longer waits for the first.
    const before = this.#open.get(id);
    before?.cancelTimer();
    void before?.asking?.drop("The agent asks something else.");
    this.#open.set(id, open);
    if (isShown) this.#show(open);
    if (isShown && after > 0) open.cancelTimer = clock.setTimer(after, () => this.#ask(open));
    else this.#ask(open);
    return true;
  }

  #show(open: Open): void {
    if (open.isShown) return;
    open.isShown = true;
    this.#options.toEditor.line(open.ask.request);
  }

  /** Whether the editor can be shown it. */
  #canShow({ ask }: Open): boolean {
    return ask.kind === "permission" || !this.#ownForms;
  }

  #ask(open: Open): void {
    const { inbox, watch, log } = this.#options;
    watch?.asked?.(open.ask);
    const asking = inbox.ask(open.ask, (why, isRefused = false) => {
      watch?.away?.(why, isRefused);
      if (!this.#isOpen(open)) return;
      open.isAlone = true;
      log("info", "The inbox can't be asked, so the editor alone is", { why });
      if (open.said !== undefined) this.#settle(open, open.said);
      else if (this.#canShow(open)) this.#show(open);
    });
    open.asking = asking;
    void asking.decided.then((decision) => {
      if (!this.#isOpen(open)) return;
      open.asking = undefined;
      open.isAlone = true;
      if (decision !== undefined) return this.#inboxDecided(open, decision);
      watch?.undecided?.(open.ask);
      if (open.said !== undefined) this.#settle(open, open.said);
      else if (this.#canShow(open)) this.#show(open);
      else this.#settle(open, response(open.id, { action: "cancel" }));
    });
  }

  #isOpen(open: Open): boolean {
    return this.#open.get(open.id) === open;
  }

  #inboxDecided(open: Open, decision: InboxDecision): void {
    const { id, ask, options, isShown, said } = open;
    this.#options.watch?.decided?.(ask, decision);
    this.#settle(open, response(id, decision.kind === "form" ? decision.result : outcomeOf(decision, options)));
    // An editor that has answered has closed its prompt.
    if (isShown && said === undefined && !warns.test(this.#name)) this.#options.toEditor.own(cancelRequest(id));
  }

  #editorSaid(open: Open, message: Record<string, unknown>, line: Buffer): void {
    // Its first answer counts.
    if (open.said !== undefined) return;
    const { asking, options } = open;
    if (!Object.hasOwn(message, "result")) {
      if (open.isAlone) return this.#settle(open, line);
      // No answer, as long as the inbox may give one.
      open.said = Buffer.from(line);
      if (asking !== undefined) return;
      open.cancelTimer();
      return this.#ask(open);
    }
    if (asking === undefined || !asking.isHeld()) {
      void asking?.drop("It was answered in the editor.");
      return this.#settle(open, line);
    }
    open.said = Buffer.from(line);
    const decision = decidedWith(message, options);
    asking.end(`It was answered in ${this.#editor}.`, decision && { by: this.#editor.slice(0, 100), ...decision });
    open.cancelTimer();
    open.cancelTimer = this.#options.clock.setTimer(standsWithin, () => {
      if (!this.#isOpen(open) || open.said === undefined) return;
      this.#options.log("warn", "The hub did not say in time whether a decision stands, so the editor's does", { request: open.id });
      void asking.drop("It was answered in the editor.", { isOverruled: true });
      this.#settle(open, open.said);
    });
  }

  /** The agent no longer waits for an answer to its request. */
  #takenBack(line: Buffer, id: string | undefined): void {
    const open = id === undefined ? undefined : this.#open.get(id);
    if (open !== undefined) {
      void open.asking?.drop("The agent took it back.");
      this.#settle(open, failure(open.id, requestCancelled, "Request cancelled"));
    }
    if (id === undefined || this.#answered.get(id) !== false) this.#options.toEditor.line(line);
  }

  #withdraw(open: Open): void {
    void open.asking?.drop(`It was cancelled in ${this.#editor}.`);
    const result = open.ask.kind === "form" ? { action: "cancel" } : cancelled;
    this.#settle(open, response(open.id, result));
  }

  /** Answers the agent, once. */
  #settle(open: Open, answer: Buffer | object): void {
    const { toAgent } = this.#options;
    open.cancelTimer();
    this.#open.delete(open.id);
    this.#remember(open.id, open.isShown);
    if (Buffer.isBuffer(answer)) toAgent.line(answer);
    else toAgent.own(answer);
  }

  #remember(id: string, isShown: boolean): void {
    this.#answered.delete(id);
    this.#answered.set(id, isShown);
    dropOldest(this.#answered, most.answered);
  }
}

/** The agent's own option, if a person chose it by name; else what holds this once. A refusal that an agent doesn't offer is a cancelled request. */
function outcomeOf({ isAllowed, optionId }: Extract<InboxDecision, { kind: "permission" }>, options: Open["options"]) {
  const chosen = optionId === undefined ? undefined : options.find((option) => option.optionId === optionId);
  const option = chosen ?? onceOption(options, isAllowed ? "allow" : "deny");
  return option === undefined ? cancelled : selected(option.optionId);
}

/** What a person decided with an editor's answer; undefined for what isn't known, such as the values of a form. */
function decidedWith(message: unknown, options: readonly PermissionOption[]): Omit<EditorDecision, "by"> | undefined {
  const result = own(message, "result");
  const outcome = own(result, "outcome");
  if ([own(outcome, "outcome"), own(result, "action")].some((how) => how === "cancelled" || how === "cancel" || how === "decline"))
    return {};
  const id = textAt(outcome, "optionId");
  const option = options.find(({ optionId }) => optionId === id);
  if (option === undefined) return undefined;
  // Any other refusal may hold for longer, which its name says.
  if (option.kind.startsWith("reject")) return { value: "deny", ...(option.kind !== "reject_once" && { comment: option.name }) };
  if (option === onceOption(options, "allow")) return { value: "allow" };
  return option.kind.startsWith("allow") ? { value: `agent:${option.optionId}` } : undefined;
}
