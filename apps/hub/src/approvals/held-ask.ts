import type { ApprovalDoor, FormAsk, PermissionAsk } from "@askbox/clients";
import { type Handover, parseAsk } from "@askbox/core";
import type { Grant, LimitedAsker, MountContext } from "@askbox/hub";
import type { AskEnd, Decided, OpenAsks } from "./open-asks.ts";

/** Milliseconds. How long an ask waits for an absent person if the client shows no prompt of its own in the meantime. */
const hiddenFor = 5_000;
/** Milliseconds. A person may extend it; a client's own prompt stays open in the meantime. */
const timeout = 1_800_000;

/** What an asker's `tool` is in the record of a held ask. Nobody waits for these once the process that held them is gone. */
export const heldTools = { permission: "approval", form: "elicitation" } as const;

/** What holds an ask: the request of a client's hook. */
export interface Holding<Event extends PermissionAsk | FormAsk> {
  context: MountContext;
  door: ApprovalDoor;
  open: OpenAsks;
  asker: LimitedAsker;
  grant: Grant;
  event: Event;
  signal: AbortSignal;
  /** Whether a person has an inbox open. */
  isWatched(): boolean;
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

/**
 * Asks for as long as the client holds its request, and withdraws what is pending as soon as an answer would be useless. `tool` names the
 * kind of ask in the record.
 */
export async function heldAsk<Result>(
  { context, door, open, asker, grant, event, signal, isWatched }: Holding<PermissionAsk | FormAsk>,
  tool: string,
  ask: (sessions: HeldSessions) => Promise<Result>,
): Promise<Result> {
  const { platform, closing } = context;
  const { conversation, cwd, branch, agentId, isHidden } = event;
  const stop = new AbortController();
  let why = `${door.client} no longer waits.`;
  const end = (reason: string) => {
    why = reason;
    stop.abort();
  };
  const ended = Promise.withResolvers<AskEnd>();
  let how: AskEnd;
  // Synchronously, so that one of two simultaneous requests finds the other.
  const { forget, isShared } = open.add(grant.owner, event, ended.promise, (reason) => {
    how = "over";
    end(reason);
  });
  const cancelTimer = isHidden
    ? unlessWatched(
        context,
        () => isWatched() || isShared(),
        () => end("No inbox was open, and the client shows no prompt in the meantime."),
      )
    : () => {};
  const info = {
    ...{ client: { name: door.client }, tool, conversation },
    ...(cwd !== undefined && { project: cwd }),
    ...(branch !== undefined && { branch }),
    ...(agentId !== undefined && { agentId }),
  };
  const waiting = { asker: info, earlier: false, signal: AbortSignal.any([signal, stop.signal, closing]) };
  let sessionId: string | undefined;
  const track = (handover: Handover): Handover => {
    sessionId = handover.session.state === "pending" ? handover.session.id : undefined;
    return handover;
  };
  try {
    return await ask({
      async put(input) {
        const request = parseAsk({ ...input, timeout }, { ids: platform.ids });
        const onOpened = ({ session }: { session: { id: string } }) => {
          sessionId = session.id;
        };
        return track(await asker.ask(request, { ...waiting, onOpened }));
      },
      reply: async (id, text) => track(await asker.resume(id, { ...waiting, reply: text })),
      share(decided) {
        how = decided;
      },
    });
  } finally {
    forget();
    ended.resolve(how);
    cancelTimer();
    // Any later answer would come too late.
    if (sessionId !== undefined) await asker.withdraw(sessionId, { reason: why }).catch(() => {});
  }
}

/** Calls back after a few seconds, or later, once nobody has an inbox open. */
function unlessWatched({ platform }: MountContext, isWatched: () => boolean, callback: () => void): () => void {
  let cancel = () => {};
  const wait = () => {
    cancel = platform.clock.setTimer(hiddenFor, () => (isWatched() ? wait() : callback()));
  };
  wait();
  return () => cancel();
}
