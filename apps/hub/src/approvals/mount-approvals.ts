import type { ApprovalDoor, PermissionAsk } from "@askbox/clients";
import { AskboxError, isAskboxError, type Log } from "@askbox/core";
import { parseAskJson } from "@askbox/core/schemas";
import type { Grant, LimitedAsker, MountContext, MountService } from "@askbox/hub";
import { decisionOf } from "./decision.ts";
import { type AskEnd, type Decided, OpenAsks } from "./open-asks.ts";
import { readBody } from "./read-body.ts";

/** Milliseconds. How long an ask waits for an absent person if the client shows no prompt of its own in the meantime. */
const hiddenFor = 5_000;
/** Milliseconds. A person may extend it; a client's own prompt stays open in the meantime. */
const timeout = 1_800_000;

export interface MountApprovalsOptions {
  doors: readonly ApprovalDoor[];
  /** Whether a person has an inbox open. */
  isWatched(): boolean;
  log: Log;
}

/**
 * Where clients' hooks ask for permission. A response without a body means that nobody decided, so the client's own prompt or rule does.
 * That is the response for everything but a person's answer: an error, a timeout, an obsolete ask, a closing hub.
 */
export function mountApprovals({ doors, isWatched, log }: MountApprovalsOptions): MountService {
  return (context) => {
    const doorAt = new Map(doors.map((door) => [door.path, door]));
    const open = new OpenAsks({
      onUnreported: (session) =>
        log("warn", "An allowed action was not reported to have run with the arguments that were shown", { session }),
      onOverruled: (session, report) =>
        void context.broker
          .report(session, report)
          .catch((error: unknown) => log("error", "What a client did could not be recorded", { session, error: String(error) })),
    });
    const undecided = () => new Response(null, { status: 204 });
    return {
      paths: [...doorAt.keys()],
      async fetch(request) {
        if (request.method !== "POST") throw new AskboxError("VALIDATION", "Send a hook's event with POST.");
        const grant = await context.authorize(request, "asker");
        const door = doorAt.get(new URL(request.url).pathname.slice(context.basePath.length));
        const body = await readBody(request, context.limits.requestBytes);
        if (body === undefined) log("info", "A permission request is too large to show completely; its client decides");
        const event = body === undefined ? undefined : door?.read(body);
        if (door === undefined || event === undefined) return undecided();
        if (event.kind === "over") {
          open.end(grant.owner, event);
          return undecided();
        }
        if (event.kind === "follows") {
          const { replaced, unfollow } = open.follow(grant.owner, event);
          await aborted(AbortSignal.any([request.signal, context.closing, replaced]));
          unfollow();
          return undecided();
        }
        if (open.isFollowed(grant.owner, event)) return undecided();
        const asker = context.asker(grant);
        let delivery: Promise<unknown> = Promise.resolve();
        try {
          const decided = await askOnce({ context, door, open, asker, grant, event, signal: request.signal, isWatched });
          if (decided === undefined) return undecided();
          const response = Response.json(door.reply(event, decided.decision));
          // Neither waits for the other: a decision whose delivery can't be recorded is a decision all the same.
          delivery = context
            .delivered(request)
            .then((isWhole) => (isWhole ? decided.ack() : undefined))
            .catch((error: unknown) => log("warn", "The delivery of a decision could not be recorded", { error: String(error) }));
          return response;
        } catch (error) {
          // A request that cannot be asked is left to the client, like one that nobody answers.
          log(isAskboxError(error, "ABORTED") ? "debug" : "warn", "A permission request was left to its client", { error: String(error) });
          return undecided();
        } finally {
          void delivery.then(() => asker.close());
        }
      },
      close: async () => open.close(),
    };
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  else signal.addEventListener("abort", () => resolve(), { once: true });
  return promise;
}

interface Asking {
  context: MountContext;
  door: ApprovalDoor;
  open: OpenAsks;
  asker: LimitedAsker;
  grant: Grant;
  event: PermissionAsk;
  signal: AbortSignal;
  isWatched(): boolean;
}

/** Asks, unless the client asks the same in two ways at once: then both get the same decision. */
async function askOnce(asking: Asking): Promise<Decided | undefined> {
  const { open, grant, event, signal } = asking;
  const gone = aborted(signal);
  for (;;) {
    const twin = open.twin(grant.owner, event);
    if (twin === undefined) return ask(asking);
    const end = await Promise.race([twin, gone]);
    if (signal.aborted || end === "over") return undefined;
    if (end !== undefined) return end;
  }
}

/** Asks, and withdraws the question as soon as its answer would be useless. */
async function ask({ context, door, open, asker, grant, event, signal, isWatched }: Asking): Promise<Decided | undefined> {
  const { platform, closing } = context;
  const { conversation, cwd, branch, agentId, question, title, isHidden } = event;
  const stop = new AbortController();
  let why = `${door.client} no longer waits.`;
  const end = (reason: string) => {
    why = reason;
    stop.abort();
  };
  const ended = Promise.withResolvers<AskEnd>();
  let how: AskEnd;
  let decided: Decided | undefined;
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
  let sessionId: string | undefined;
  try {
    const { parseAsk } = await import("@askbox/core");
    // The exact arguments go on as text.
    const questions = [parseAskJson(JSON.stringify(question))];
    const request = parseAsk({ questions, title, timeout }, { ids: platform.ids });
    const handover = await asker.ask(request, {
      asker: {
        client: { name: door.client },
        tool: "approval",
        conversation,
        ...(cwd !== undefined && { project: cwd }),
        ...(branch !== undefined && { branch }),
        ...(agentId !== undefined && { agentId }),
      },
      earlier: false,
      signal: AbortSignal.any([signal, stop.signal, closing]),
      onOpened: ({ session }) => {
        sessionId = session.id;
      },
    });
    if (handover.session.state !== "pending") sessionId = undefined;
    const decision = decisionOf(handover.session);
    if (decision !== undefined) {
      const isExpected = decision.kind === "allow" && door.ran !== undefined;
      const run = decision.kind === "allow" ? door.ran?.(event, decision.input) : undefined;
      const { id: sessionId } = handover.session;
      decided = { decision, ack: () => handover.ack() };
      how = decided;
      open.decided(grant.owner, conversation, { run: run ?? event.reportedAs ?? event.run, agentId, sessionId, isExpected });
    }
    return decided;
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
