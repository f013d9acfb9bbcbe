import { useAskbox } from "@askbox/react";
import { createContext, useContext, useEffect, useEffectEvent, useMemo, useState } from "react";
import { settings } from "../stored-settings.ts";

/** Questions that are declined together once they can no longer be undone. */
export interface Declining {
  ids: readonly string[];
  reason: string;
  /** Wall time in ms. */
  sendAt: number;
}

export interface Declines {
  /** Those that can still be undone. */
  waiting: Declining | undefined;
  /** Ids hidden from the list: waiting, or being sent. */
  hidden: ReadonlySet<string>;
  /** Why some of the latest could not be declined. */
  failure: string | undefined;
  decline(ids: readonly string[], reason: string): void;
  undo(): void;
}

/** The page's declines, for the list, the open question and what says that they can be undone. */
export const DeclinesContext = createContext<Declines | undefined>(undefined);

export function useSharedDeclines(): Declines {
  const declines = useContext(DeclinesContext);
  if (declines === undefined) throw new Error("There is no DeclinesContext above.");
  return declines;
}

/** Declines questions, one or several at once. The hub can't delay this, so the page waits; closing or leaving the page sends them at once. */
export function useDeclines(): Declines {
  const { inbox, clock, forms } = useAskbox();
  const [waiting, setWaiting] = useState<Declining>();
  const [sending, setSending] = useState<readonly string[]>([]);
  const [failure, setFailure] = useState<string>();

  const send = async ({ ids, reason }: Pick<Declining, "ids" | "reason">) => {
    setSending((others) => [...others, ...ids]);
    const asked = ids.flatMap((id) => inbox.find(id) ?? []).map((session) => forms.of(session));
    // To decline an action is to deny it.
    await Promise.all(asked.map((form) => form.cancel(reason)));
    setSending((others) => others.filter((id) => !ids.includes(id)));
    // A session that has settled meanwhile needs no declining.
    setFailure(asked.map((form) => form.getState().failure).find((each) => each !== undefined && each.code !== "SESSION_CLOSED")?.message);
  };
  const flush = () => {
    if (waiting === undefined) return;
    setWaiting(undefined);
    void send(waiting);
  };
  const timeIsOver = useEffectEvent(flush);

  useEffect(() => {
    if (waiting === undefined) return;
    return clock.setTimer(Math.max(0, waiting.sendAt - clock.now()), () => timeIsOver());
  }, [waiting, clock]);
  useEffect(() => {
    const leave = () => timeIsOver();
    addEventListener("pagehide", leave);
    return () => {
      removeEventListener("pagehide", leave);
      leave();
    };
  }, []);

  const hidden = useMemo(() => new Set([...(waiting?.ids ?? []), ...sending]), [waiting, sending]);
  return {
    waiting,
    hidden,
    failure,
    decline(ids, reason) {
      flush();
      setFailure(undefined);
      const delay = settings.getState().undoSeconds * 1_000;
      if (delay === 0) void send({ ids, reason });
      else setWaiting({ ids, reason, sendAt: clock.now() + delay });
    },
    undo: () => setWaiting(undefined),
  };
}
