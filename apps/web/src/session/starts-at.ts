import { pageState } from "../ui/page-state.ts";

/** The question of a set that was pressed in its preview, at which the set opens. */
export const startsAtOn = pageState(() => {
  let pressed: { sessionId: string; questionId: string } | undefined;
  return {
    note(sessionId: string, questionId: string | undefined): void {
      pressed = questionId === undefined ? undefined : { sessionId, questionId };
    },
    /** Undefined from the second time on. */
    take(sessionId: string): string | undefined {
      const questionId = pressed?.sessionId === sessionId ? pressed.questionId : undefined;
      pressed = undefined;
      return questionId;
    },
  };
});
