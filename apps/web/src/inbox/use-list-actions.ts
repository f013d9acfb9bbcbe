import type { SessionView } from "@askbox/core";
import { useAskbox, useInbox } from "@askbox/react";
import { useCallback, useState } from "react";
import { declined, recallSent, snoozed } from "../session/sent.ts";
import { useLastSnooze } from "./last-snooze.ts";
import { type Declines, useUndoable } from "./use-declines.ts";

export interface ListActions {
  selected: ReadonlySet<string>;
  /** Whether the rows have checkboxes. */
  isSelecting: boolean;
  /** Selects or deselects a question. */
  select(id: string): void;
  /** Selects the rows from one to the next as well, or, on the way back, no longer the one. */
  extend(from: string, to: string): void;
  startSelecting(): void;
  selectAll(): void;
  clear(): void;
  /** The open dialog and its questions. */
  dialog: { name: "decline" | "snooze"; sessions: readonly SessionView[] } | undefined;
  /** Opens a dialog for the selected questions. */
  open(name: "decline" | "snooze"): void;
  closeDialog(): void;
  decline(reason: string): void;
  /** Closes the dialog and clears the selection. Returns the ids that it was about. */
  finish(): string[];
  /** Keyboard actions for the question under the cursor, and for the selected ones. */
  act: Readonly<Record<"select" | "snooze" | "cancel" | "undo", (id: string | undefined) => boolean>> & { back(): boolean };
}

/** Selects several questions, and declines or snoozes them together. */
export function useListActions({ declines, visible }: { declines: Declines; visible: readonly SessionView[] }): ListActions {
  const page = useAskbox();
  const { pending } = useInbox();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [hasStarted, setStarted] = useState(false);
  const [dialog, setDialog] = useState<ListActions["dialog"]>();
  const lastSnooze = useLastSnooze();
  const undoable = useUndoable();
  const selected = new Set(visible.filter(({ id }) => chosen.has(id)).map(({ id }) => id));
  const isSelecting = hasStarted || selected.size > 0;

  const select = useCallback((id: string) => {
    setChosen((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  const clear = () => {
    setChosen(new Set());
    setStarted(false);
  };
  const sessionsOf = (ids: Iterable<string>) => [...ids].flatMap((id) => pending.get(id) ?? []);
  const openFor = (name: "decline" | "snooze", id: string | undefined): boolean => {
    const sessions = sessionsOf(selected.size > 0 ? selected : id === undefined ? [] : [id]);
    if (sessions.length > 0) setDialog({ name, sessions });
    return sessions.length > 0;
  };
  const finish = (): string[] => {
    setDialog(undefined);
    clear();
    return dialog?.sessions.map(({ id }) => id) ?? [];
  };

  return {
    selected,
    isSelecting,
    select,
    extend(from, to) {
      const isBack = chosen.has(from) && chosen.has(to);
      setChosen(isBack ? new Set([...chosen].filter((id) => id !== from)) : new Set([...chosen, from, to]));
    },
    clear,
    dialog,
    startSelecting: () => setStarted(true),
    selectAll: () => setChosen(new Set(visible.map(({ id }) => id))),
    open: (name) => void openFor(name, undefined),
    closeDialog: () => setDialog(undefined),
    decline(reason) {
      const ids = finish();
      declines.decline(ids, reason);
    },
    finish,
    act: {
      select(id) {
        if (id !== undefined) select(id);
        return id !== undefined;
      },
      snooze: (id) => openFor("snooze", id),
      cancel: (id) => openFor("decline", id),
      undo() {
        const last = undoable.at(-1);
        if (last === declined) declines.undo();
        else if (last === snoozed) lastSnooze?.undo();
        else if (last !== undefined) recallSent(page, last);
        return last !== undefined;
      },
      back() {
        if (isSelecting) clear();
        return isSelecting;
      },
    },
  };
}
