import type { SessionView } from "@askbox/core";
import { cut } from "@askbox/core/questions";
import { type FormState, isAnswered, sessionTitle } from "@askbox/inbox";
import { timeLeft } from "@askbox/inbox/text";
import { fieldOf } from "../model/form-items.ts";
import { agentOf, isClose, needWords, placeOf, presenceWords } from "../model/words.ts";
import { line, type Row, type Span, span, splitLine } from "../text/row.ts";

/** The head of a form: title and time, who asks from where, and the steps. */
export function sessionHead(session: SessionView, state: FormState | undefined, now: number, width: number): Row[] {
  const title = span(sessionTitle(session), "heading");
  const left = session.status === "pending" ? [span(timeLeft(session.deadlineAt, now), isClose(session, now) ? "error" : "dim")] : [];
  const open = session.presence.openIn.length > 1 ? "open elsewhere too" : "";
  const facts = [
    needWords(session) && `agent ${needWords(session)}`,
    agentOf(session),
    placeOf(session),
    presenceWords(session),
    open,
  ].filter((part) => part !== "");
  const head = [splitLine([title], left, width), line([span(facts.join(" · "), "dim")], width)];
  return state === undefined || state.steps === 1 || state.phase === "settled" ? head : [...head, stepsRow(state, width)];
}

/** `✓1 Name  ›2 Database   3   Review`, with labels if there is room for them. */
function stepsRow(state: FormState, width: number): Row {
  const { session, step, progress } = state;
  const steps = session.questions.map((question, index): Span[] => {
    const done = isAnswered(question, fieldOf(state, question));
    const mark = index === step ? "›" : done ? "✓" : " ";
    const chip = width >= 60 && question.header !== undefined ? ` ${cut(question.header, 14, "")}` : "";
    return [span(`${mark}${index + 1}${chip} `, index === step ? "selection" : done ? "success" : "dim")];
  });
  const isReview = step >= session.questions.length;
  const review = span(`${isReview ? "›" : " "}Review`, isReview ? "selection" : "dim");
  return splitLine([...steps.flat(), review], [span(`${progress.answered}/${progress.total}`, "dim")], width);
}
