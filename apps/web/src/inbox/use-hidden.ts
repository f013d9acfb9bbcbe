import { useInbox } from "@askbox/react";
import { useMemo } from "react";
import { isGone, useSent } from "../session/sent.ts";
import { useDeclines } from "./use-declines.ts";

/** The questions that are out of the list while they still wait: those that are being declined, and those answered here. */
export function useHidden(): ReadonlySet<string> {
  const sent = useSent();
  const { drafts } = useInbox();
  const { hidden } = useDeclines();
  return useMemo(() => new Set([...hidden, ...sent.filter((id) => isGone(drafts.get(id)))]), [hidden, sent, drafts]);
}
