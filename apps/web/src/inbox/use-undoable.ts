import { useInbox } from "@askbox/react";
import { declined, snoozed, useSent } from "../session/sent.ts";
import { useLastSnooze } from "./last-snooze.ts";
import { useDeclines } from "./use-declines.ts";

/** What was done here and can still be undone, the latest last: the sessions whose answers wait, `declined` and `snoozed`. */
export function useUndoable(): string[] {
  const { drafts } = useInbox();
  const { waiting } = useDeclines();
  const snooze = useLastSnooze();
  return useSent().filter((done) => {
    if (done === declined) return waiting.length > 0;
    return done === snoozed ? snooze !== undefined : drafts.get(done)?.scheduled !== undefined;
  });
}
