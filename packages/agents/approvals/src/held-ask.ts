import { type Asker, type Handover, type Platform, parseAsk } from "@askbox/core";
import type { ApprovalAsk, ApprovalSource, FormAsk } from "./approval.ts";
import type { DecidedAsks } from "./decided-asks.ts";
import { type Decided, OpenAsk, type OpenAsks } from "./open-asks.ts";

/** Milliseconds. How long an ask waits for an absent person if the client shows no prompt of its own in the meantime. */
const hiddenFor = 5_000;
/** Milliseconds. A person may extend it; a client's own prompt stays open in the meantime. */
const timeout = 1_800_000;

/** What an asker's `tool` is in the record of a held ask. Nobody waits for these once the process that held them is gone. */
export const heldTools = { ask: "approval", form: "elicitation" } as const;

/** Who asks. */
export interface Caller {
  /** Conversations of different owners are different ones. */
  owner: string;
  asker: Pick<Asker, "ask" | "resume" | "withdraw">;
  source: Pick<ApprovalSource, "client" | "ran" | "reply">;
  /** Aborts when the client no longer waits. */
  signal: AbortSignal;
}

/** What every ask shares. */
export interface AskContext {
  platform: Pick<Platform, "clock" | "ids">;
  /** Whether a person has an inbox open. */
  isWatched(): boolean;
  open: OpenAsks;
  decided: DecidedAsks;
}

/** What becomes of an ask that was settled: the response to its client, and what records that it was delivered. */
export interface Settled {
  reply: unknown;
  ack(): Promise<unknown>;
}

/** The sessions of one held ask. */
export interface HeldSessions {
  /** Puts questions to a person, in the name of the ask's agent; resolves when a session is settled, or a person asks something back. */
  put(input: { title: string; questions: unknown[] }): Promise<Handover>;
  /** Replies to what a person asks back, and waits on. */
  reply(sessionId: string, text: string): Promise<Handover>;
  /** Gives other requests for the same this decision. */
  share(decided: Decided): void;
}

export const keyOf = (owner: string, name: string): string => JSON.stringify([owner, name]);

/** Asks for as long as the client waits, and withdraws what is pending as soon as an answer would be useless. */
export async function heldAsk<Result>(
  { platform, isWatched, open }: AskContext,
  { owner, asker, source, signal }: Caller,
  request: ApprovalAsk | FormAsk,
  ask: (sessions: HeldSessions) => Promise<Result>,
): Promise<Result> {
  const key = keyOf(owner, request.conversation);
  const held = new OpenAsk(request, `${source.client} no longer waits.`);
  // Synchronously, so that one of two simultaneous requests finds the other.
  open.add(key, held);
  let cancelTimer = () => {};
  const stopUnlessWatched = () => {
    cancelTimer = platform.clock.setTimer(hiddenFor, () => {
      if (isWatched() || held.isShared) stopUnlessWatched();
      else held.stop("No inbox was open, and the client shows no prompt in the meantime.");
    });
  };
  if (request.isHidden) stopUnlessWatched();
  const waiting = { asker: askerOf(source.client, request), earlier: false, signal: AbortSignal.any([signal, held.signal]) };
  let pending: string | undefined;
  let decided: Decided | undefined;
  const track = (handover: Handover): Handover => {
    pending = handover.session.state === "pending" ? handover.session.id : undefined;
    return handover;
  };
  try {
    return await ask({
      async put(input) {
        const onOpened = ({ session }: { session: { id: string } }) => {
          pending = session.id;
        };
        return track(await asker.ask(parseAsk({ ...input, timeout }, { ids: platform.ids }), { ...waiting, onOpened }));
      },
      reply: async (id, text) => track(await asker.resume(id, { ...waiting, reply: text })),
      share(made) {
        decided = made;
      },
    });
  } finally {
    open.remove(key, held);
    held.finish(decided);
    cancelTimer();
    // Any later answer would come too late.
    if (pending !== undefined) await asker.withdraw(pending, { reason: held.reason }).catch(() => {});
  }
}

function askerOf(client: string, { kind, conversation, cwd, branch, background, agentId }: ApprovalAsk | FormAsk) {
  return {
    client: { name: client },
    tool: heldTools[kind],
    conversation,
    ...(cwd !== undefined && { project: cwd }),
    ...(branch !== undefined && { branch }),
    ...(background !== undefined && { background }),
    ...(agentId !== undefined && { agentId }),
  };
}
