import { offeredOptions } from "@askbox/core/questions";
import { type FormState, sessionTitle } from "@askbox/inbox";
import { terminalText } from "@askbox/terminal-text";
import { questionOf } from "./form-items.ts";

/** The current question, or on the review all questions, as plain text. */
export function questionText(state: FormState): string {
  const { session } = state;
  const present = questionOf(state);
  const asked = present === undefined || state.phase === "settled" ? session.questions : [present];
  const parts = asked.map((question) => {
    const options = offeredOptions(question).map(
      ({ label, description }) => `- ${label}${description === undefined ? "" : `: ${description}`}`,
    );
    return [question.question, ...("options" in question ? options : [])].join("\n");
  });
  const title = asked.length > 1 ? [sessionTitle(session)] : [];
  return terminalText([...title, ...parts].join("\n\n"));
}
