import type { HistoryEvent } from "./event.ts";

type Of<Type extends HistoryEvent["type"]> = Extract<HistoryEvent, { type: Type }>;

/**
 * The faults in the threads of a history, one sentence each. The rules:
 * - every acknowledged message is in the thread of its session, once, after those acknowledged before it was written;
 * - a person's message was delivered to the agent, to no other, not twice in a call, and not again after the delivery was acknowledged;
 * - there is no message that nobody wrote.
 */
export function checkThreads(history: readonly HistoryEvent[]): string[] {
  const all = <Type extends HistoryEvent["type"]>(type: Type) => history.filter((event): event is Of<Type> => event.type === type);
  const stored = new Map(all("stored").map((event) => [event.session, event]));
  const sessionOf = new Map(all("wrote").map(({ message, session }) => [message, session]));
  return [
    ...keptMessages(all("kept"), sessionOf, stored),
    ...disorder(history, sessionOf, stored),
    ...givenMessages(history, all("given"), sessionOf, stored),
    ...all("stored").flatMap(({ session, thread = [] }) =>
      thread.flatMap((message, index) => [
        ...(sessionOf.get(message) === session ? [] : [`invented: nobody wrote ${message}, which is in the thread of ${session}`]),
        ...(thread.indexOf(message) === index ? [] : [`twice: ${message} is in the thread of ${session} more than once`]),
      ]),
    ),
  ];
}

type SessionOf = ReadonlyMap<string, string>;
type Stored = ReadonlyMap<string, Of<"stored">>;

function keptMessages(kept: Of<"kept">[], sessionOf: SessionOf, stored: Stored): string[] {
  return kept.flatMap(({ message }) => {
    const session = sessionOf.get(message);
    if (session === undefined) return [`${message} was acknowledged and never written`];
    const isThere = stored.get(session)?.thread?.includes(message) === true;
    return isThere ? [] : [`lost: ${message} was acknowledged and is not in the thread of ${session}`];
  });
}

/** An acknowledged message comes before those written afterwards. */
function disorder(history: readonly HistoryEvent[], sessionOf: SessionOf, stored: Stored): string[] {
  const faults: string[] = [];
  const before = new Map<string, string>();
  for (const event of history) {
    if (event.type === "kept") before.set(sessionOf.get(event.message) ?? "", event.message);
    if (event.type !== "wrote") continue;
    const { thread = [] } = stored.get(event.session) ?? {};
    const first = before.get(event.session);
    const place = thread.indexOf(event.message);
    if (first !== undefined && place >= 0 && thread.indexOf(first) > place)
      faults.push(`out of order: ${event.message} stands before ${first} in the thread of ${event.session}`);
  }
  return faults;
}

function givenMessages(history: readonly HistoryEvent[], given: Of<"given">[], sessionOf: SessionOf, stored: Stored): string[] {
  const faults: string[] = [];
  const askerOf = new Map<string, string>();
  const began = new Map<string, number>();
  const readAt = new Map<string, number>();
  const seen = new Set<string>();
  history.forEach((event, index) => {
    if (event.type === "called") {
      askerOf.set(event.call, event.asker);
      began.set(event.call, index);
    }
    if (event.type === "read" && !readAt.has(event.message)) readAt.set(event.message, index);
    if (event.type !== "given") return;
    const { call, message, session } = event;
    if (sessionOf.get(message) !== session) faults.push(`invented: nobody wrote ${message}, which ${call} was given for ${session}`);
    const asker = stored.get(session)?.asker ?? "nobody";
    if (askerOf.get(call) !== asker) faults.push(`astray: ${message} to ${asker} was given to ${call} of ${askerOf.get(call) ?? "nobody"}`);
    if (seen.has(`${call} ${message}`)) faults.push(`twice: ${call} was given ${message} more than once`);
    seen.add(`${call} ${message}`);
    const read = readAt.get(message);
    if (read !== undefined && (began.get(call) ?? 0) > read)
      faults.push(`twice: ${call} was given ${message} after that had been confirmed`);
  });
  const arrived = new Set(given.map(({ message }) => message));
  const fromPeople = history.flatMap((event) => (event.type === "kept" && event.to === "agent" ? [event.message] : []));
  return [...faults, ...fromPeople.flatMap((message) => (arrived.has(message) ? [] : [`lost: ${message} never reached its agent`]))];
}
