import type { Grant, SessionView } from "@askbox/core";
import type { Conversation, Outlook } from "@askbox/core/clients";
import type { Comment } from "@askbox/core/documents";
import { type AnswerFile, type Phrases, searchWords } from "@askbox/core/questions";
import type { SortOrder } from "@askbox/inbox";
import type { Grouping, Narrowing, RanItem, RanList } from "@askbox/inbox/list";
import type { TextBuffer } from "../editor/text-buffer.ts";
import type { PastActions } from "./past-grants.ts";

/** The text field being edited. `reason`, `message`, `messageFile`, `prefix`, `filter`, `query`, `grant`, `ran` and `palette` belong to the terminal; the others to the open form. */
export type EditTarget =
  | { kind: "text"; questionId: string }
  | { kind: "other"; questionId: string }
  | { kind: "note"; questionId: string }
  /** A comment on lines of the question's document, and the comments around it. */
  | { kind: "line"; questionId: string; comment: Comment; before: readonly Comment[]; after: readonly Comment[] }
  /** The path of a file. */
  | { kind: "attach"; questionId: string }
  /** The path of a file for the comment on all answers. */
  | { kind: "commentFile" }
  | { kind: "comment" }
  | { kind: "reason" }
  /** `file`: the index of the attached file that the cursor is on, rather than in the text. */
  | { kind: "message"; about?: string | undefined; file?: number | undefined }
  /** The path of a file for the message. */
  | { kind: "messageFile"; about?: string | undefined }
  | { kind: "prefix" }
  | { kind: "filter" }
  | { kind: "query" }
  | { kind: "grant" }
  | { kind: "ran" }
  | { kind: "palette" }
  /** A message to an agent, by the id of its conversation. */
  | { kind: "toAgent"; id: string };

const searches: ReadonlySet<EditTarget["kind"] | undefined> = new Set(["filter", "query", "grant", "ran", "palette"] as const);

/** Whether it finds something rather than answering. */
export const isSearch = (target: EditTarget | undefined): boolean => searches.has(target?.kind);

const dialogTargets: ReadonlySet<EditTarget["kind"]> = new Set(["reason", "message", "messageFile", "toAgent", "prefix", "line"]);

/** Whether it is edited in a dialog below the form, the agents or a document. */
export const isInDialog = (target: EditTarget | undefined): boolean => target !== undefined && dialogTargets.has(target.kind);

/** Whether it is the path of a file. */
export const isPath = ({ kind }: EditTarget): boolean => kind === "attach" || kind === "commentFile" || kind === "messageFile";

export interface Editing {
  target: EditTarget;
  buffer: TextBuffer;
}

/** The menus, whose choices have a cursor. */
export type MenuName = "moreTime" | "snooze" | "arrange" | "grantFor";

/** The overlay that covers the panes and receives the keys. */
export type Overlay =
  /** `over` is the document that it covers. */
  | { kind: "help"; top: number; over?: Overlay }
  | { kind: "reader"; top: number }
  /**
   * A document that can be commented: the marked lines by index, with the cursor on `to`. `scroll` is the first row shown if the cursor is
   * somewhere else.
   */
  | { kind: "document"; from: number; to: number; isRaw?: boolean; scroll?: number | undefined }
  /** `allows`: what is chosen is not only picked, but allowed. */
  | { kind: MenuName; item: number; allows?: true }
  | { kind: "cancel" }
  | { kind: "askBack" }
  /** `grant` is the scope and time, as in `project:8h`; `warned` the risky prefix that the person was warned of. */
  | { kind: "prefix"; grant: string; warned?: string }
  | { kind: "grants" }
  | { kind: "ran" }
  | { kind: "agents" }
  /** The command at `at` is the one that Enter runs. */
  | { kind: "palette"; at: number };

export interface Notice {
  text: string;
  tone: "info" | "success" | "warning" | "error";
  /** The session whose held answer it is about. */
  held?: string;
  /** When it leaves by itself, in wall time; until then the keys are shown beside it. */
  until?: number;
}

/** How a session ended: a denied action is an answer, too, but is looked for by itself. */
export const endings = ["answered", "denied", "cancelled", "timed_out"] as const;
export type Ending = (typeof endings)[number];

export interface HistoryState {
  query: string;
  /** Only sessions that ended so. */
  ending: Ending | undefined;
  items: readonly SessionView[];
  nextCursor: string | undefined;
  loading: boolean;
  failure: string | undefined;
}

/** The files of an unsent message to an agent. */
export interface MessageFiles {
  attached: readonly AnswerFile[];
  /** How many are being uploaded. */
  uploading: number;
  /** The message goes once they are attached; `about` is one question or all of them. */
  sends?: { about: string | undefined } | undefined;
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

/** What ran without a person, while it is shown. */
export interface RanState {
  query: string;
  /** Undefined until the hub has sent it. */
  list: RanList | undefined;
  /** The action under the cursor. */
  item: number;
  failure: string | undefined;
}

/** The agents' conversations, while they are shown. */
export interface AgentsState {
  /** Undefined until the hub has sent them. */
  all: readonly Conversation[] | undefined;
  /** The agent under the cursor. */
  item: number;
  failure: string | undefined;
}

/** The grants that contain the words searched for. */
export function foundGrants({ all = [], query }: GrantsState): readonly Grant[] {
  const wanted = query.trim().toLowerCase();
  return all.filter(({ shown, project, client }) => [shown, project, client].some((text) => text.toLowerCase().includes(wanted)));
}

/** What ran and contains all words searched for. */
export function foundRan({ list, query }: RanState): readonly RanItem[] {
  const words = searchWords(query);
  return (list?.items ?? []).filter(({ what, tool, project, client, by, reach }) => {
    const text = [what, tool, project, client, by.name, ...reach].join("\n").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export interface UiState {
  view: "inbox" | "history";
  /** The pane with the focus. */
  focus: "list" | "form";
  /** The list's selected entry: a session id, or `fold`. */
  selected: string | undefined;
  /** The last index of the selected entry, used when that entry is gone. */
  lastIndex: number;
  /** The session in the form pane. */
  open: string | undefined;
  order: SortOrder;
  /** The words the list is filtered by. */
  filter: string;
  grouping: Grouping | undefined;
  /** The groups that the list shows only. */
  narrowing: Narrowing;
  /** The questions of the list that are selected, to decline or snooze them at once. */
  selection: readonly string[];
  /** Those that were declined at once, which is undone at once. */
  together: readonly string[];
  /** The questions snoozed last, and until when they were snoozed before: wall time, or null. */
  snoozed: readonly { id: string; before: number | null }[];
  /** Whether the list includes sessions whose agent has left. */
  unfolded: boolean;
  /** The item under the form's cursor. */
  item: number;
  /** The form's first visible row if the user has scrolled, or `thread` for its latest message; otherwise the cursor is kept in view. */
  scroll: number | "thread" | undefined;
  editing: Editing | undefined;
  overlay: Overlay | undefined;
  /** The files of documents that were viewed, by index; by session and question. */
  viewed: Readonly<Record<string, readonly number[]>>;
  /** Unsent messages to agents, by the id of their session or conversation. */
  unsent: Readonly<Record<string, string>>;
  /** The files of these messages, by the id of their session. */
  messageFiles: Readonly<Record<string, MessageFiles>>;
  /** Sessions to whose agent the draft that was not sent, or another message, went afterwards. */
  followedUp: readonly string[];
  notice: Notice | undefined;
  /** Sessions answered or declined here whose answers are still held back, the latest last. */
  held: readonly string[];
  /** The question that opened by itself after the last answer. */
  openedNext: string | undefined;
  history: HistoryState;
  grants: GrantsState;
  ran: RanState;
  agents: AgentsState;
  /** Known once a grant has been picked. */
  past: PastActions | undefined;
  /** How the agent of a session will get its outcome. */
  outlook: { session: string; told: Outlook } | undefined;
  /** What is often written, by project; empty for none. */
  phrases: Readonly<Record<string, Phrases>>;
}

export const initialUi: UiState = Object.freeze({
  view: "inbox",
  focus: "list",
  selected: undefined,
  lastIndex: 0,
  open: undefined,
  order: "deadline",
  filter: "",
  grouping: undefined,
  narrowing: {},
  selection: [],
  together: [],
  snoozed: [],
  unfolded: false,
  item: 0,
  scroll: 0,
  editing: undefined,
  overlay: undefined,
  viewed: {},
  unsent: {},
  messageFiles: {},
  followedUp: [],
  notice: undefined,
  held: [],
  openedNext: undefined,
  history: { query: "", ending: undefined, items: [], nextCursor: undefined, loading: false, failure: undefined },
  grants: { query: "", all: undefined, item: 0, failure: undefined },
  ran: { query: "", list: undefined, item: 0, failure: undefined },
  agents: { all: undefined, item: 0, failure: undefined },
  past: undefined,
  outlook: undefined,
  phrases: {},
});

/** Whether a person can start the session's agent again. */
export const canStart = ({ outlook }: UiState, id: string): boolean => outlook?.session === id && outlook.told.next === "start";

/** The rows of the list: sessions, the first of a group with its heading, and the fold that hides those whose agent has left. */
export type ListEntry = { id: string; session: SessionView; heading?: string } | { id: "fold"; count: number };
