import { checkThreads } from "./check-threads.ts";
import type { HistoryEvent } from "./event.ts";

type Of<Type extends HistoryEvent["type"]> = Extract<HistoryEvent, { type: Type }>;

/**
 * The faults in a history, one sentence each; undefined if there are none. The rules:
 * - every acknowledged answer is the outcome, and was delivered to its asker;
 * - a session has one winner, and any other answerer was told about it;
 * - no call received a session twice, or again after its delivery was acknowledged;
 * - every file of an outcome can be opened, and has the content that was acknowledged;
 * - there is no outcome that nobody sent, and none was delivered to an asker that did not ask;
 * - and those of `checkThreads` about threads.
 */
export function checkHistory(history: readonly HistoryEvent[]): string[] {
  const all = <Type extends HistoryEvent["type"]>(type: Type) => history.filter((event): event is Of<Type> => event.type === type);
  const sent = new Map(all("sent").map((event) => [event.attempt, event]));
  const stored = new Map(all("stored").map((event) => [event.session, event]));
  const handed = all("handed");
  return [
    ...lostAnswers(all("acknowledged"), sent, stored, handed),
    ...winners(all("acknowledged"), all("refused"), sent, stored, handed),
    ...lostFiles(all("uploaded"), all("stored")),
    ...repetitions(history),
    ...inventions([...sent.values()], [...stored.values()], handed),
    ...strangers(all("called"), all("asked"), stored, handed),
    ...checkThreads(history),
  ];
}

type Sent = ReadonlyMap<string, Of<"sent">>;
type Stored = ReadonlyMap<string, Of<"stored">>;

function lostAnswers(acknowledged: Of<"acknowledged">[], sent: Sent, stored: Stored, handed: Of<"handed">[]): string[] {
  const arrived = new Set(handed.map(({ session, outcome }) => `${session} ${outcome}`));
  return acknowledged.flatMap(({ attempt }) => {
    const attempted = sent.get(attempt);
    if (attempted === undefined) return [`${attempt} was acknowledged and never sent`];
    const { session, outcome } = attempted;
    const standing = stored.get(session)?.outcome ?? null;
    if (standing !== outcome) return [`lost: ${outcome} was acknowledged for ${session}, where ${standing ?? "nothing"} stands`];
    return arrived.has(`${session} ${outcome}`) ? [] : [`lost: ${outcome} of ${session} never reached its asker`];
  });
}

function winners(
  acknowledged: Of<"acknowledged">[],
  refused: Of<"refused">[],
  sent: Sent,
  stored: Stored,
  handed: Of<"handed">[],
): string[] {
  const faults: string[] = [];
  const first = new Map<string, string>();
  for (const { attempt } of acknowledged) {
    const { session, outcome } = sent.get(attempt) ?? { session: "", outcome: "" };
    const earlier = first.get(session);
    if (earlier !== undefined && earlier !== outcome)
      faults.push(`two winners: ${earlier} and ${outcome} were acknowledged for ${session}`);
    first.set(session, outcome);
  }
  for (const { attempt, standing } of refused) {
    const session = sent.get(attempt)?.session ?? "";
    const real = stored.get(session)?.outcome ?? "nothing";
    if (standing !== real) faults.push(`misled: whoever was refused at ${session} was told of ${standing}, where ${real} stands`);
  }
  for (const { call, session, outcome } of handed) {
    const real = stored.get(session)?.outcome ?? "nothing";
    if (outcome !== real) faults.push(`two winners: ${call} was handed ${outcome} of ${session}, where ${real} stands`);
  }
  return faults;
}

function lostFiles(uploaded: Of<"uploaded">[], stored: Of<"stored">[]): string[] {
  const contents = new Map(uploaded.map(({ session, file, content }) => [`${session} ${file}`, content]));
  return stored.flatMap(({ session, files = [] }) =>
    files.flatMap(({ file, content }) => {
      const sent = contents.get(`${session} ${file}`);
      if (sent === undefined) return [`invented: nobody sent ${file} of ${session}`];
      if (content === null) return [`lost: ${file} of ${session} was acknowledged and can't be opened`];
      return content === sent ? [] : [`damaged: ${file} of ${session} is ${content}, where ${sent} was sent`];
    }),
  );
}

function repetitions(history: readonly HistoryEvent[]): string[] {
  const faults: string[] = [];
  const began = new Map<string, number>();
  const confirmedAt = new Map<string, number>();
  const seen = new Set<string>();
  history.forEach((event, index) => {
    if (event.type === "called") began.set(event.call, index);
    if (event.type === "confirmed" && !confirmedAt.has(event.session)) confirmedAt.set(event.session, index);
    if (event.type !== "handed") return;
    const { call, session } = event;
    if (seen.has(`${call} ${session}`)) faults.push(`twice: ${call} was handed ${session} more than once`);
    seen.add(`${call} ${session}`);
    const confirmed = confirmedAt.get(session);
    if (confirmed !== undefined && (began.get(call) ?? 0) > confirmed) {
      faults.push(`twice: ${call} was handed ${session} after that had been confirmed`);
    }
  });
  return faults;
}

function inventions(sent: Of<"sent">[], stored: Of<"stored">[], handed: Of<"handed">[]): string[] {
  const outcomes = new Set(sent.map(({ session, outcome }) => `${session} ${outcome}`));
  const inStore = stored.flatMap(({ session, outcome }) =>
    outcome === null || outcomes.has(`${session} ${outcome}`) ? [] : [`invented: nobody gave ${outcome}, which stands for ${session}`],
  );
  const inCalls = handed.flatMap(({ call, session, outcome }) =>
    outcomes.has(`${session} ${outcome}`) ? [] : [`invented: nobody gave ${outcome}, which ${call} was handed for ${session}`],
  );
  return [...inStore, ...inCalls];
}

function strangers(called: Of<"called">[], asked: Of<"asked">[], stored: Stored, handed: Of<"handed">[]): string[] {
  const askerOf = new Map(called.map(({ call, asker }) => [call, asker]));
  const own = new Map(asked.map(({ call, session }) => [call, session]));
  return handed.flatMap(({ call, session, as }) => {
    const faults: string[] = [];
    const asker = stored.get(session)?.asker ?? "nobody";
    if (askerOf.get(call) !== asker)
      faults.push(`astray: ${session} of ${asker} was handed to ${call} of ${askerOf.get(call) ?? "nobody"}`);
    const question = own.get(call);
    if (as === "result" && question !== undefined && question !== session) {
      faults.push(`astray: ${call} asked ${question} and was handed ${session} for it`);
    }
    return faults;
  });
}
