import { Buffer } from "node:buffer";
import type { Log } from "@askbox/core";
import { type AgentProcess, startAgent } from "./agent-process.ts";
import type { AcpAsk, Attached, InboxDecision } from "./inbox.ts";
import { lazyInbox } from "./lazy-inbox.ts";
import { Lines, LineWriter, pump } from "./lines.ts";
import { cancelled, idOf, isObject, isResponse, type JsonObject, own, read, response, textAt } from "./messages.ts";
import { Pass, timers } from "./pass.ts";
import type { ServerEntry } from "./rewrite.ts";

/**
 * A client without an editor: sends one prompt to an agent, prints its text, and leaves permissions and questions to the inbox. It takes the
 * editor's place in the pass-through (`Pass`), which asks only the inbox. A request that the inbox can't take comes here, and is refused.
 *
 * What can go wrong, and how it ends:
 * - The person denies with words, or sends pictures: they are the next prompt, since ACP has no room for them in an answer.
 * - Nobody decides in time, no hub can be reached, or it refuses: the turn is cancelled. The agent would only try something else.
 * - An interrupt cancels the turn; a second one ends the agent.
 * - The agent ends, or answers with an error: failed.
 */

export interface RunSetup {
  command: readonly string[];
  prompt: string;
  env: NodeJS.ProcessEnv;
  hub: string | undefined;
  tokenFile: string | undefined;
  hubCommand: readonly string[];
  version: string;
  cwd: string;
  /** A session to go on with. */
  resume?: string | undefined;
  /** The agent's mode to switch to. */
  mode?: string | undefined;
  server?: ServerEntry | undefined;
  log: Log;
  onInterrupt(listener: () => void): () => void;
  /** Each thing that happens, as it happens. */
  onEvent(event: RunEvent): void;
}

export type RunEvent =
  | { type: "session"; sessionId: string; agent: string; mode?: string }
  | { type: "notice"; text: string }
  | { type: "message"; text: string }
  | { type: "thought"; text: string }
  | { type: "tool"; toolCallId: string; title: string; status?: string }
  | { type: "asked"; kind: AcpAsk["kind"] }
  | { type: "decided"; kind: AcpAsk["kind"]; decision: "allow" | "deny" | "accept" | "decline" | "cancel"; reason?: string }
  | { type: "prompt"; text: string; pictures?: number }
  | { type: "end"; outcome: RunOutcome; stopReason?: string; error?: string };

export type RunOutcome = "done" | "cancelled" | "timed_out" | "no_hub" | "failed";

/** How often the words of a denial are the next prompt. */
const maxPrompts = 20;
/** Modes in which agents ask nothing, by the words of those that were seen. */
const unasked = /auto|bypass|yolo|full[-_ ]?access|accept[-_ ]?edits|dont[-_ ]?ask|build/i;

/** Rejects if the agent can't be started. */
export async function runAgent(setup: RunSetup): Promise<RunOutcome> {
  const { onEvent } = setup;
  const agent = startAgent({ command: setup.command, env: setup.env, passSignals: false });
  const client = new HeadlessClient(setup, agent);
  let interrupts = 0;
  const stop = setup.onInterrupt(() => {
    interrupts += 1;
    if (interrupts > 1) agent.kill("SIGTERM");
    else client.cancel("cancelled");
  });
  const gone = agent.ended.then((code) => Promise.reject(new Error(`The agent ended with exit code ${code}.`)));
  gone.catch(() => {});
  try {
    const { outcome, stopReason } = await Promise.race([client.run(), gone]);
    onEvent({ type: "end", outcome, ...(stopReason !== undefined && { stopReason }) });
    return outcome;
  } catch (error) {
    if ((error as { syscall?: string }).syscall?.startsWith("spawn")) throw error;
    const outcome = client.why ?? "failed";
    onEvent({ type: "end", outcome, error: error instanceof Error ? error.message : String(error) });
    return outcome;
  } finally {
    stop();
    await client.end();
    agent.leave();
    await agent.ended.catch(() => {});
  }
}

class HeadlessClient {
  readonly #setup: RunSetup;
  readonly #pass: Pass;
  readonly #waiting = new Map<string, { resolve(result: JsonObject): void; reject(error: Error): void }>();
  readonly #lines: Lines;
  #id = 0;
  #session: string | undefined;
  #isPrompting = false;
  /** What a person said in this turn and no answer has room for. */
  #said: { words: string; attached: Attached | undefined }[] = [];
  /** Whether the agent takes pictures. */
  #seesPictures = false;
  /** Why the turn was cancelled. */
  why: Exclude<RunOutcome, "done"> | undefined;

  constructor(setup: RunSetup, agent: AgentProcess) {
    this.#setup = setup;
    this.#lines = new Lines({ line: (line) => this.#receive(line), piece: () => {} });
    this.#pass = new Pass({
      toAgent: new LineWriter((bytes) => void agent.input.write(bytes)),
      toEditor: new LineWriter((bytes) => this.#lines.push(Buffer.from(bytes))),
      inbox: lazyInbox(setup),
      answer: "inbox",
      after: 0,
      forms: true,
      server: setup.server,
      clock: timers,
      log: setup.log,
      cwd: setup.cwd,
      watch: {
        asked: ({ kind }) => setup.onEvent({ type: "asked", kind }),
        decided: ({ kind }, decision) => this.#decided(kind, decision),
        undecided: () => this.cancel("timed_out"),
        away: (why, isRefused) => {
          if (this.why === undefined) setup.onEvent({ type: "notice", text: why });
          this.cancel(isRefused ? "failed" : "no_hub");
        },
      },
    });
    void pump(agent.output, new Lines(this.#pass.fromAgent), agent.input);
  }

  async run(): Promise<{ outcome: RunOutcome; stopReason?: string }> {
    const { version, cwd, resume, mode, prompt, onEvent } = this.#setup;
    const started = await this.#request("initialize", {
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: "askbox", title: "askbox", version },
    });
    const info = own(started, "agentInfo");
    const capabilities = own(started, "agentCapabilities");
    this.#seesPictures = own(own(capabilities, "promptCapabilities"), "image") === true;
    const method =
      resume === undefined ? "session/new" : own(own(capabilities, "sessionCapabilities"), "resume") ? "session/resume" : "session/load";
    const opened = await this.#request(method, { ...(resume !== undefined && { sessionId: resume }), cwd, mcpServers: [] });
    const session = resume ?? textAt(opened, "sessionId");
    if (session === undefined) throw new Error("The agent opened no session.");
    this.#session = session;
    const current = mode === undefined ? modeOf(opened) : mode;
    if (mode !== undefined) await this.#setMode(session, opened, mode);
    const agent = textAt(info, "title") ?? textAt(info, "name") ?? "agent";
    onEvent({ type: "session", sessionId: session, agent, ...(current !== undefined && { mode: current }) });
    if (current !== undefined && unasked.test(current)) {
      onEvent({
        type: "notice",
        text: `The agent is in the mode ${JSON.stringify(current)}, in which it may ask nothing. --mode NAME sets another.`,
      });
    }
    let blocks: object[] = [{ type: "text", text: prompt }];
    for (let count = 1; ; count += 1) {
      if (this.why !== undefined) return { outcome: this.why };
      this.#isPrompting = true;
      const { stopReason } = await this.#request("session/prompt", { sessionId: session, prompt: blocks });
      this.#isPrompting = false;
      const reason = typeof stopReason === "string" ? stopReason : "end_turn";
      if (this.why !== undefined) return { outcome: this.why, stopReason: reason };
      // Some agents end the turn with the refusal, and none has been told why.
      if (this.#said.length === 0 || count >= maxPrompts) return { outcome: outcomeOf(reason), stopReason: reason };
      blocks = await this.#nextPrompt();
    }
  }

  /** Cancels the turn, for a reason that the exit code says. */
  cancel(why: NonNullable<HeadlessClient["why"]>): void {
    if (this.why !== undefined) return;
    this.why = why;
    if (this.#isPrompting && this.#session !== undefined)
      this.#send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: this.#session } });
  }

  end(): Promise<void> {
    return this.#pass.end();
  }

  #decided(kind: AcpAsk["kind"], decision: InboxDecision): void {
    const { onEvent } = this.#setup;
    const { attached } = decision;
    if (decision.kind === "form") {
      if (attached !== undefined) this.#said.push({ words: "I sent this with my answer.", attached });
      const action = textAt(decision.result, "action");
      return onEvent({ type: "decided", kind, decision: action === "accept" || action === "decline" ? action : "cancel" });
    }
    const { isAllowed, reason } = decision;
    onEvent({ type: "decided", kind, decision: isAllowed ? "allow" : "deny", ...(reason !== undefined && { reason }) });
    if (isAllowed || (reason === undefined && attached === undefined)) return;
    const words = reason === undefined ? "" : ` My words: ${reason}`;
    this.#said.push({ words: `I denied this, and it was not run.${words}`, attached });
  }

  async #nextPrompt(): Promise<object[]> {
    const said = this.#said.splice(0);
    const images: object[] = [];
    for (const { attached } of this.#seesPictures ? said : [])
      images.push(...((await attached?.pictures()) ?? []).map((picture) => ({ type: "image", ...picture })));
    const names = said.flatMap(({ attached }) => attached?.names ?? []);
    const more = names.length === 0 ? [] : [`Files: ${names.join(", ")}.${images.length === 0 ? " They can't be shown to you." : ""}`];
    const text = [...said.map(({ words }) => words), ...more].join("\n\n");
    this.#setup.onEvent({ type: "prompt", text, ...(images.length > 0 && { pictures: images.length }) });
    return [{ type: "text", text }, ...images];
  }

  async #setMode(session: string, opened: JsonObject, mode: string): Promise<void> {
    if (modeOption(opened) === undefined) await this.#request("session/set_mode", { sessionId: session, modeId: mode });
    else await this.#request("session/set_config_option", { sessionId: session, configId: "mode", value: mode });
  }

  #request(method: string, params: object): Promise<JsonObject> {
    this.#id += 1;
    const id = JSON.stringify(this.#id);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ jsonrpc: "2.0", id: this.#id, method, params });
    });
  }

  #send(message: object): void {
    this.#pass.fromEditor.line(Buffer.from(`${JSON.stringify(message)}\n`));
  }

  #receive(line: Buffer): void {
    const message = read(line);
    if (!isObject(message)) return;
    const id = idOf(message);
    if (isResponse(message)) {
      const waiting = id === undefined ? undefined : this.#waiting.get(id);
      if (id === undefined || waiting === undefined) return;
      this.#waiting.delete(id);
      const { result, error } = message;
      if (error === undefined || error === null) waiting.resolve(isObject(result) ? result : {});
      else waiting.reject(new Error(errorText(error)));
    } else if (message["method"] === "session/update") this.#update(message["params"]);
    else if (id !== undefined) this.#refuse(id, String(message["method"]));
  }

  /** Refuses what the inbox can't take and what this client doesn't offer. */
  #refuse(id: string, method: string): void {
    const { onEvent } = this.#setup;
    if (method === "session/request_permission") {
      onEvent({ type: "notice", text: "A request of the agent can't be shown completely, so it was not allowed." });
      return this.#send(response(id, cancelled));
    }
    if (method === "elicitation/create") return this.#send(response(id, { action: "cancel" }));
    this.#send({ jsonrpc: "2.0", id: JSON.parse(id), error: { code: -32_601, message: `${method} is not offered here` } });
  }

  #update(params: unknown): void {
    const { onEvent } = this.#setup;
    const update = own(params, "update");
    const kind = textAt(update, "sessionUpdate");
    const text = textAt(own(update, "content"), "text");
    // A loaded session repeats its past, which is no output of this run.
    if (!this.#isPrompting) return;
    if (kind === "agent_message_chunk" && text !== undefined) onEvent({ type: "message", text });
    if (kind === "agent_thought_chunk" && text !== undefined) onEvent({ type: "thought", text });
    const call = textAt(update, "toolCallId");
    if (call === undefined || (kind !== "tool_call" && kind !== "tool_call_update")) return;
    const [title, status] = [textAt(update, "title"), textAt(update, "status")];
    if (title !== undefined || status !== undefined)
      onEvent({ type: "tool", toolCallId: call, title: title ?? "", ...(status !== undefined && { status }) });
  }
}

/** The newer form of a session's modes, in which they are one of its options. */
function modeOption(opened: JsonObject): unknown {
  const options = own(opened, "configOptions");
  return Array.isArray(options) ? options.find((each) => own(each, "id") === "mode") : undefined;
}

function modeOf(opened: JsonObject): string | undefined {
  return textAt(modeOption(opened), "currentValue") ?? textAt(own(opened, "modes"), "currentModeId");
}

const outcomeOf = (stopReason: string): RunOutcome =>
  stopReason === "end_turn" ? "done" : stopReason === "cancelled" ? "cancelled" : "failed";

function errorText(error: unknown): string {
  const details = own(own(error, "data"), "details");
  return [textAt(error, "message") ?? "The agent answered with an error.", typeof details === "string" ? details : undefined]
    .filter(Boolean)
    .join(" ");
}
