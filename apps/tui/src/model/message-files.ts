import { maxFiles } from "@askbox/core/questions";
import type { FormState } from "@askbox/inbox";
import { moveTo, replaceAll } from "../editor/text-buffer.ts";
import { keepText, startEditing } from "./text-fields.ts";
import type { Turn } from "./turn.ts";
import type { EditTarget, MessageFiles, UiState } from "./ui-state.ts";

const none: MessageFiles = { attached: [], uploading: 0 };

/** The files of the unsent message to a session's agent. */
export const filesOfMessage = ({ messageFiles }: Pick<UiState, "messageFiles">, session = ""): MessageFiles =>
  messageFiles[session] ?? none;

export function changeFiles(turn: Turn, session: string, change: Partial<MessageFiles>): void {
  const { messageFiles } = turn.ui;
  turn.set({ messageFiles: { ...messageFiles, [session]: { ...filesOfMessage(turn.ui, session), ...change } } });
}

/** Keys of a message that are about its files. Returns whether the key was handled. */
export function messageFileKey(turn: Turn, { about, file }: Extract<EditTarget, { kind: "message" }>, name: string): boolean {
  const form = turn.form();
  if (form === undefined) return false;
  const { id } = form.session;
  if (turn.is(name, "attach")) {
    if (takesAnother(turn, form)) startEditing(turn, { kind: "messageFile", about });
  } else if (file === undefined) return false;
  else if (turn.is(name, "revoke")) removeFile(turn, id, file);
  else if (name === "up" || name === "down") moveToFile(turn, file + (name === "up" ? -1 : 1));
  else return false;
  return true;
}

/** Moves the cursor to a file of the message, or above the first back to the text. */
export function moveToFile(turn: Turn, index: number): void {
  const { editing, open } = turn.ui;
  if (editing?.target.kind !== "message") return;
  const last = filesOfMessage(turn.ui, open).attached.length - 1;
  const file = Math.min(index, last);
  turn.set({ editing: { ...editing, target: { kind: "message", about: editing.target.about, ...(file >= 0 && { file }) } } });
}

function removeFile(turn: Turn, session: string, index: number): void {
  const { attached } = filesOfMessage(turn.ui, session);
  changeFiles(turn, session, { attached: attached.filter((_, at) => at !== index) });
  moveToFile(turn, index);
  turn.say(`Removed ${attached[index]?.name}.`);
}

/** Attaches a file of this machine to the message, if it takes one more. */
export function attachToMessage(turn: Turn, form: FormState, path: string): void {
  if (!takesAnother(turn, form)) return;
  const { id: session } = form.session;
  changeFiles(turn, session, { uploading: filesOfMessage(turn.ui, session).uploading + 1 });
  turn.say("Attaching …");
  turn.do({ kind: "attach", session, to: "message", path });
}

/** Whether the message takes one more file; says why if not. */
function takesAnother(turn: Turn, { session }: FormState): boolean {
  const { attached, uploading } = filesOfMessage(turn.ui, session.id);
  const isFull = attached.length + uploading >= maxFiles;
  if (session.status !== "pending") turn.say("The question is settled; a message to its agent takes no files now.", "warning");
  else if (isFull) turn.say(`${maxFiles} files are the most; remove one first.`, "warning");
  return session.status === "pending" && !isFull;
}

/** What was pasted into the message is the paths of files: they are attached instead. */
export function filesDropped(turn: Turn, session: string, pasted: string, paths: readonly string[]): void {
  const { editing, open } = turn.ui;
  const form = turn.form();
  if (open !== session || form === undefined || editing?.target.kind !== "message") return;
  const { target, buffer } = editing;
  const at = buffer.text.lastIndexOf(pasted);
  if (at < 0) return;
  const cursor = buffer.cursor <= at ? buffer.cursor : Math.max(at, buffer.cursor - pasted.length);
  const without = moveTo(replaceAll(buffer, buffer.text.slice(0, at) + buffer.text.slice(at + pasted.length)), cursor);
  turn.set({ editing: { target, buffer: without } });
  keepText(turn, target, without);
  for (const path of paths) attachToMessage(turn, form, path);
}
