import type { Answer, AnswerSet, AskResult, Outcome, SessionView } from "@askbox/core";
import type { HistoryEvent } from "../history/event.ts";

/** Collects the history of a run. */
export interface Recorder {
  readonly history: readonly HistoryEvent[];
  record(event: HistoryEvent): void;
  /** A name that is unique in this run. */
  name(kind: string): string;
  /** Records the start of an asker's call; returns its name. */
  call(asker: string): string;
  /** Records which messages the call received. */
  given(call: string, session: string, messages: readonly { text: string }[]): void;
  /** Records what a tool's result delivers to its call. */
  handedByResult(call: string, result: AskResult): void;
}

/** An outcome in the format of the history. */
export function outcomeText(outcome: SessionView["outcome"] | null): string | null {
  if (outcome === undefined || outcome === null) return null;
  return wordOf(outcome, outcome.by.surface, outcome.by.name);
}

/** The ids of files, without what the hub and the agent's server add to them. */
const idsOf = ({ files = [] }: Partial<AnswerSet>) => files.map(({ sha256 }) => sha256);
const asSent = (answer: Answer) => ({ ...answer, files: idsOf(answer) });

function wordOf(
  outcome: Pick<Outcome, "kind"> & Partial<AnswerSet> & { reason?: string | undefined },
  surface: string,
  name?: string,
): string {
  const words = outcome.kind === "answered" ? JSON.stringify([outcome.answers?.map(asSent), idsOf(outcome)]) : (outcome.reason ?? "");
  return `${outcome.kind} by ${surface}/${name ?? ""}: ${words}`;
}

function resultText(result: Omit<AskResult, "earlier" | "pending">): string {
  const kind = result.answered ? "answered" : result.cancelled ? "cancelled" : "timedOut";
  const { surface = "", name } = result.answeredBy ?? {};
  return wordOf({ kind, reason: result.reason, answers: result.answers, files: result.files }, surface, name);
}

export function createRecorder(): Recorder {
  const history: HistoryEvent[] = [];
  let names = 0;
  const recorder: Recorder = {
    history,
    record: (event) => void history.push(event),
    name(kind) {
      names += 1;
      return `${kind}-${names}`;
    },
    call(asker) {
      const call = recorder.name("call");
      history.push({ type: "called", call, asker });
      return call;
    },
    given(call, session, messages) {
      for (const { text } of messages) history.push({ type: "given", call, session, message: text });
    },
    handedByResult(call, { earlier = [], pending, ...result }) {
      if (pending !== true && result.sessionId !== undefined) {
        history.push({ type: "handed", call, session: result.sessionId, outcome: resultText(result), as: "result" });
      }
      recorder.given(call, result.sessionId ?? "", result.askedBack ?? []);
      for (const { sessionId = "", pending: isOpen, ...past } of earlier) {
        recorder.given(call, sessionId, past.askedBack ?? []);
        if (isOpen === true) continue;
        history.push({ type: "handed", call, session: sessionId, outcome: resultText(past), as: "earlier" });
      }
    },
  };
  return recorder;
}
