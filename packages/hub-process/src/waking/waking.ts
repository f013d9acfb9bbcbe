// An answer wakes its agent. The service follows the store, and acts on what no call waits for any more.
//
// 1. A session changes: it is settled, or a person writes to its agent. If it is one to wake for (`isCandidate`), it is looked at.
// 2. `look` asks how the agent's conversation is now: a program of its client waits here (a door), or the client says that it is idle, busy or
//    gone. Conversations are looked at one after the other, so that two answers don't start two turns at once.
// 3. Idle: its open conversation is continued. Busy: it is looked at again, and woken after its turn, unless a call gets the outcome first. Gone:
//    it is resumed in the background if the person has turned that on, and otherwise left.
// 4. Before anything is done, `beginWaking` of the broker writes that it is about to be; how it went is written afterwards.
//
// An asker names its conversation itself. So the conversation is only told, in fixed words, to call `get_answer`: nothing that an asker has written,
// such as the option that was chosen, becomes a message of another's user.
//
// What can go wrong:
// - The hub is killed between 4's two writes: the session says `started`, nobody wakes it again, and its agent's next call gets the outcome.
// - A call gets the outcome between 2 and 4: it is under way or delivered, and nothing begins. Between 4 and the act: nothing is done.
// - The client does not answer, or refuses: the session says why; the outcome stays, and the inbox shows how to resume.
// - Several hubs on one store: each sees only the clients of its machine, and only one of them can write 4.

import { isAbsolute, relative, sep } from "node:path";
import { isConversationId, type ResumeCommand, type WakeMachine, type WakeWay } from "@askbox/clients/wake";
import { AskboxError, type Broker, type Clock, type Log, type SessionRecord, type SessionStore } from "@askbox/core";
import { type ClientName, clientTitle, type Outlook } from "@askbox/core/clients";
import { type BegunWaking, type Waker, wakeable } from "@askbox/core/hubs";
import { isDenied } from "@askbox/core/questions";
import { fetchWords, type WakeWords } from "@askbox/mcp";
import { clientOf, Doors } from "./doors.ts";

/** How far agents are woken: never, while their conversation is open, or also once it has gone. */
export type WakeLevel = "off" | "open" | "gone";

export interface WakingOptions {
  store: SessionStore;
  broker: Pick<Broker, "beginWaking">;
  clock: Pick<Clock, "now" | "setTimer">;
  log: Log;
  ways: Readonly<Partial<Record<ClientName, WakeWay>>>;
  machine: WakeMachine;
  /** The owner whose agents run on this machine, as this person: only their conversations are reached from here. */
  owner: string;
  /** Tools whose asks are over when their call ends. */
  heldTools: readonly string[];
  levelFor(session: SessionRecord): WakeLevel;
  words(session: SessionRecord): Promise<WakeWords>;
  /** The end of what a session's run printed. */
  outputOf?(sessionId: string): string | undefined;
  /** Runs a command in the background; resolves when it has ended, with why it failed. Rejects if it can't be started. */
  runAway(command: ResumeCommand, about: { session: SessionRecord; conversation: string; cwd: string }): Promise<string | undefined>;
}

/** Milliseconds. An outcome that is older when a hub starts wakes nobody by itself. */
const freshFor = 3_600_000;
/** Milliseconds after which an outcome is left to the agent's next call. */
const triedFor = 86_400_000;
/** When a conversation that can't be woken yet is looked at again, in ms: soon, then less often. */
const [soon, rare] = [500, 15_000];
/** How often a person's waking is tried, every `soon`. */
const maxTries = 16;
/** Sessions that wait for their agent's turn to end; more are left to the next call. */
const maxDue = 1_000;

interface Due {
  since: number;
  wait: number;
  cancel(): void;
}

/** Wakes agents whose calls have ended. `close` ends it; what runs in the background goes on. */
export class Waking implements Waker {
  readonly doors: Doors;
  readonly #options: WakingOptions;
  readonly #due = new Map<string, Due>();
  readonly #turns = new Map<string, Promise<unknown>>();
  /** Conversations that this hub has resumed in the background. */
  readonly #running = new Set<string>();
  #unsubscribe = () => {};
  #isClosed = false;
  /** Whether what words an outcome is loaded. */
  #isReady = false;

  constructor(options: WakingOptions) {
    this.#options = options;
    this.doors = new Doors({ ...options, onOpened: (ids) => void Promise.all(ids.map((id) => this.#changed(id))) });
  }

  /** Follows the store, from what a killed hub has left. */
  async start(): Promise<void> {
    const { store, clock } = this.#options;
    this.#unsubscribe = store.subscribe(({ id, record }) => void this.#changed(id, record));
    const page = await store.list({ undelivered: true, closedSince: clock.now() - freshFor, order: "oldest", limit: maxDue });
    for (const record of page.sessions) void this.#changed(record.id, record);
  }

  /** Whether an agent is to be woken soon, such as after its turn, or one that was resumed is at work. */
  get isBusy(): boolean {
    return this.#running.size > 0 || [...this.#due.values()].some(({ wait }) => wait < rare);
  }

  async outlook(session: SessionRecord): Promise<Pick<Outlook, "client" | "next">> {
    const way = this.#wayOf(session);
    const level = this.#options.levelFor(session);
    if (way === undefined || level === "off") return { client: "unknown", next: "next_call" };
    const client = await this.#stateOf(session, way);
    if (client === "gone" && way.resumeGone !== undefined && this.#isHere(session)) {
      return { client, next: level === "gone" ? "resumes" : "start" };
    }
    const continues = this.doors.has(session) || (way.continueOpen !== undefined && (client === "idle" || client === "busy"));
    // A hook that waits at the end of a turn.
    const will = continues || (way.listens === "nudge" && client === "busy");
    return { client, next: will ? "continues" : "next_call" };
  }

  async wake(session: SessionRecord): Promise<boolean> {
    const way = this.#wayOf(session);
    const title = clientTitle(session.asker.client.name);
    if (way === undefined)
      throw new AskboxError("VALIDATION", `${title} can't be woken from here; it gets the outcome with its next call.`);
    if (wakeable(session, { again: true }) === undefined) {
      throw new AskboxError("VALIDATION", "There is nothing to wake the agent with: it has received everything, or it was woken already.");
    }
    // What a call is getting, or a task's client polls, is free in a moment.
    for (let tries = 0; tries < maxTries; tries += 1) {
      const record = await this.#options.store.get(session.id);
      if (record === undefined || wakeable(record, { again: true }) === undefined) return false;
      if (await this.#wakeNow(session, way, title)) return true;
      await new Promise<void>((resolve) => this.#options.clock.setTimer(soon, resolve));
    }
    throw new AskboxError("VALIDATION", `A call of ${title} is getting the outcome.`);
  }

  #wakeNow(session: SessionRecord, way: WakeWay, title: string): Promise<boolean> {
    return this.#inTurn(session, async () => {
      const state = await this.#stateOf(session, way);
      if (state === "gone" && way.resumeGone !== undefined && this.#isHere(session)) return this.#resume(session.id, way, true);
      if (this.doors.has(session) || (state === "idle" && way.continueOpen !== undefined)) return this.#continue(session.id, way, true);
      if (state === "busy") throw new AskboxError("VALIDATION", `${title} is at work; it goes on with the outcome after its turn.`);
      throw new AskboxError(
        "VALIDATION",
        `It is not certain that nothing has this conversation open, so ${title} is not started beside it.`,
      );
    });
  }

  output(sessionId: string): string | undefined {
    return this.#options.outputOf?.(sessionId);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#unsubscribe();
    for (const { cancel } of this.#due.values()) cancel();
    this.#due.clear();
    this.doors.close();
    await Promise.allSettled([...this.#turns.values()]);
  }

  #wayOf({ asker }: SessionRecord): WakeWay | undefined {
    const { ways, heldTools } = this.#options;
    if (asker.tool !== undefined && heldTools.includes(asker.tool)) return undefined;
    const name = clientOf(asker.client.name);
    return name === undefined ? undefined : ways[name];
  }

  /** Whether its conversation may be reached from this machine without its client's doing. */
  #isHere = ({ owner, asker }: SessionRecord): boolean =>
    owner === this.#options.owner && asker.conversation !== undefined && isConversationId(asker.conversation);

  #isCandidate(record: SessionRecord): boolean {
    if (wakeable(record) === undefined || isSilentDenial(record)) return false;
    return this.#wayOf(record) !== undefined && this.#options.levelFor(record) !== "off";
  }

  async #changed(id: string, told?: SessionRecord): Promise<void> {
    const { store, log } = this.#options;
    try {
      const record = told ?? (await store.get(id));
      if (record !== undefined) this.#meet(record);
      if (record === undefined || !this.#isCandidate(record)) return this.#forget(id);
      if (this.#isClosed || (!this.#due.has(id) && this.#due.size >= maxDue)) return;
      this.#due.get(id)?.cancel();
      this.#due.set(id, { since: this.#options.clock.now(), wait: soon, cancel: () => {} });
      await this.#inTurn(record, () => this.#look(id));
    } catch (error) {
      log("debug", "It could not be seen whether an agent is to be woken", { sessionId: id, error: String(error) });
    }
  }

  #meet(record: SessionRecord): void {
    this.doors.changed(record);
    if (this.#isReady || this.#wayOf(record)?.listens !== "message") return;
    // Nobody should wait for that when there is an answer.
    this.#isReady = true;
    this.#options.words(record).catch(() => {});
  }

  #forget(id: string): void {
    this.#due.get(id)?.cancel();
    this.#due.delete(id);
  }

  async #look(id: string): Promise<void> {
    const { store, levelFor, log } = this.#options;
    const record = this.#due.has(id) ? await store.get(id) : undefined;
    const way = record && this.#wayOf(record);
    if (record === undefined || way === undefined || !this.#isCandidate(record)) return this.#forget(id);
    const mayResume = levelFor(record) === "gone" && way.resumeGone !== undefined && this.#isHere(record);
    // Only a door can do something, and it says when it opens.
    if (!this.doors.has(record) && way.continueOpen === undefined && !mayResume) return this.#forget(id);
    let isDone = false;
    try {
      const state = this.doors.has(record) ? "idle" : await this.#stateOf(record, way);
      if (state === "idle" && (this.doors.has(record) || way.continueOpen !== undefined)) isDone = await this.#continue(id, way);
      else if (state === "gone" && mayResume) isDone = await this.#resume(id, way);
      else if (state !== "busy") this.#slower(id);
    } catch (error) {
      this.#slower(id);
      log("debug", "An agent's client doesn't say what it does", { sessionId: id, error: String(error) });
    }
    if (isDone) this.#forget(id);
    else this.#later(record);
  }

  #slower(id: string): void {
    const due = this.#due.get(id);
    if (due !== undefined) due.wait = Math.min(rare, 2 * due.wait);
  }

  #later(record: SessionRecord): void {
    const { clock } = this.#options;
    const due = this.#due.get(record.id);
    if (due === undefined || this.#isClosed) return;
    if (clock.now() - due.since > triedFor) return this.#forget(record.id);
    due.cancel();
    due.cancel = clock.setTimer(due.wait, () => void this.#inTurn(record, () => this.#look(record.id)).catch(() => {}));
  }

  async #stateOf(session: SessionRecord, way: WakeWay): Promise<Outlook["client"]> {
    const { conversation } = session.asker;
    if (conversation === undefined || !this.#isHere(session)) return this.doors.has(session) ? "idle" : "unknown";
    if (this.#running.has(conversation)) return "busy";
    if (this.doors.has(session)) return "idle";
    return (await way.state?.(conversation, this.#options.machine).catch(() => "unknown" as const)) ?? "unknown";
  }

  /** Resolves with whether a waking has begun. */
  async #continue(id: string, way: WakeWay, again = false): Promise<boolean> {
    const { broker, machine } = this.#options;
    const begun = await broker.beginWaking(id, "open", { again });
    if (begun === undefined) return false;
    const { conversation } = begun.session.asker;
    if (this.doors.has(begun.session)) return this.doors.give(begun);
    if (way.continueOpen === undefined || conversation === undefined) return begun.drop().then(() => false);
    const { continueOpen } = way;
    await this.#act(begun, async () => {
      if (!begun.isOurs()) return undefined;
      await continueOpen(conversation, { text: fetchWords([id]), key: `askbox-${begun.id}` }, machine);
      return {};
    });
    return true;
  }

  async #resume(id: string, way: WakeWay, again = false): Promise<boolean> {
    const { broker, runAway, machine, log } = this.#options;
    const begun = await broker.beginWaking(id, "gone", { again });
    if (begun === undefined) return false;
    const { conversation } = begun.session.asker;
    if (way.resumeGone === undefined || conversation === undefined) return begun.drop().then(() => false);
    const { resumeGone } = way;
    this.#running.add(conversation);
    // It may work for long, and its hub need not wait for it.
    void this.#act(begun, async () => {
      // An asker could name a folder whose settings run what it likes, or none, which is the hub's own.
      const cwd = await way.folderOf?.(conversation, machine);
      if (cwd === undefined || !isWithin(cwd, begun.session.asker.project))
        return { why: "The client has not recorded this conversation in this project." };
      if (!begun.isOurs()) return undefined;
      return { why: await runAway(resumeGone(conversation, fetchWords([id])), { session: begun.session, conversation, cwd }) };
    })
      .catch((error: unknown) => log("warn", "How an agent was resumed could not be written", { sessionId: id, error: String(error) }))
      .finally(() => this.#running.delete(conversation));
    return true;
  }

  /** Does it, and writes how it went. Undefined: a call of the agent has got it, so nothing was done. */
  async #act(begun: BegunWaking, act: () => Promise<{ why?: string | undefined } | undefined>): Promise<void> {
    const { log } = this.#options;
    const how = await act().catch((error: unknown) => ({ why: sentenceOf(error) }));
    if (how === undefined) return begun.drop();
    if (how.why !== undefined) log("warn", "An agent could not be woken", { sessionId: begun.session.id, why: how.why });
    await begun.end(how);
  }

  /** One after the other for each conversation. */
  #inTurn<Result>({ id, asker }: SessionRecord, work: () => Promise<Result>): Promise<Result> {
    const key = asker.conversation ?? id;
    const turn = (this.#turns.get(key) ?? Promise.resolve()).then(work, work);
    this.#turns.set(key, turn);
    const forget = () => void (this.#turns.get(key) === turn && this.#turns.delete(key));
    turn.then(forget, forget);
    return turn;
  }
}

function isWithin(folder: string, project: string | undefined): boolean {
  const from = project === undefined ? ".." : relative(project, folder);
  return from !== ".." && !from.startsWith(`..${sep}`) && !isAbsolute(from);
}

/** An action that is not to be done, and no words with that: the agent has nothing to go on with. */
function isSilentDenial({ request: { questions }, context: { outcome } }: SessionRecord): boolean {
  if (outcome === undefined || questions.every((question) => !("action" in question))) return false;
  if (outcome.kind === "cancelled") return outcome.reason === undefined;
  if (outcome.kind !== "answered" || !isDenied({ questions, outcome })) return false;
  return outcome.comment === undefined && outcome.answers.every(({ customText }) => customText === undefined);
}

function sentenceOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`;
}
