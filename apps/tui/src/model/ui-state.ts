import type { Grant, SessionView } from "@askbox/core";
import type { SortOrder } from "@askbox/react";
import type { TextBuffer } from "../editor/text-buffer.ts";

/** What is being typed into. `reason`, `message`, `filter`, `query` and `grant` are the terminal's own; the rest belongs to the open form. */
export type EditTarget =
  | { kind: "text"; questionId: string }
  | { kind: "other"; questionId: string }
  | { kind: "note"; questionId: string }
  | { kind: "comment" }
  | { kind: "reason" }
  | { kind: "message"; about?: string }
  | { kind: "filter" }
  | { kind: "query" }
  | { kind: "grant" };

/** Whether it narrows the list rather than answering. */
export const isSearch = (target: EditTarget | undefined): boolean =>
  target?.kind === "filter" || target?.kind === "query" || target?.kind === "grant";

/** Whether it is typed in a dialog below the form, and not in the form. */
export const isInDialog = (target: EditTarget | undefined): boolean => target?.kind === "reason" || target?.kind === "message";

export interface Editing {
  target: EditTarget;
  buffer: TextBuffer;
}

/** What lies over the panes and takes the keys. */
export type Overlay =
  | { kind: "help"; top: number }
  | { kind: "reader"; top: number }
  | { kind: "moreTime"; item: number }
  | { kind: "cancel" }
  | { kind: "askBack" }
  | { kind: "grants" };

export interface Notice {
  text: string;
  tone: "info" | "success" | "warning" | "error";
}

export interface HistoryState {
  query: string;
  items: readonly SessionView[];
  nextCursor: string | undefined;
  loading: boolean;
  failure: string | undefined;
}

/** What agents may do without asking, while it is shown. */
export interface GrantsState {
  query: string;
  /** The hub's grants that have not expired; undefined until it has sent them. */
  all: readonly Grant[] | undefined;
  /** The grant under the cursor. */
  item: number;
  failure: string | undefined;
}

/** The grants that contain the words searched for. */
export function foundGrants({ all = [], query }: GrantsState): readonly Grant[] {
  const wanted = query.trim().toLowerCase();
  return all.filter(({ shown, project, client }) => [shown, project, client].some((text) => text.toLowerCase().includes(wanted)));
}

export interface UiState {
  view: "inbox" | "history";
  /** Which pane takes the keys. */
  focus: "list" | "form";
  /** The entry under the list's cursor: a session's id, or `fold`. */
  selected: string | undefined;
  /** Where in the list it last stood, for when it is gone. */
  lastIndex: number;
  /** The session in the form's pane. */
  open: string | undefined;
  order: SortOrder;
  /** Words that the list is narrowed to. */
  filter: string;
  /** Whether sessions whose agent has left are listed. */
  unfolded: boolean;
  /** The item under the form's cursor. */
  item: number;
  /** The form's first row on the screen, where the person has scrolled, or `thread` for its latest message; else the cursor is kept in sight. */
  scroll: number | "thread" | undefined;
  editing: Editing | undefined;
  overlay: Overlay | undefined;
  /** Messages to agents that are not sent yet, by session id. */
  unsent: Readonly<Record<string, string>>;
  notice: Notice | undefined;
  history: HistoryState;
  grants: GrantsState;
}

export const initialUi: UiState = Object.freeze({
  view: "inbox",
  focus: "list",
  selected: undefined,
  lastIndex: 0,
  open: undefined,
  order: "deadline",
  filter: "",
  unfolded: false,
  item: 0,
  scroll: 0,
  editing: undefined,
  overlay: undefined,
  unsent: {},
  notice: undefined,
  history: { query: "", items: [], nextCursor: undefined, loading: false, failure: undefined },
  grants: { query: "", all: undefined, item: 0, failure: undefined },
});

/** What the list shows, row by row: a session, or the fold that hides those whose agent has left. */
export type ListEntry = { id: string; session: SessionView } | { id: "fold"; count: number };
