import { type AnswerFile, traitsOf } from "@askbox/core/questions";
import type { FormState } from "@askbox/inbox";
import { questionOf } from "./form-items.ts";
import { changeFiles, filesOfMessage } from "./message-files.ts";
import { resumeText } from "./navigate.ts";
import { startEditing } from "./text-fields.ts";
import type { Turn } from "./turn.ts";
import { unsentText } from "./unsent.ts";
import { arrivalWords } from "./words.ts";

/** Starts a message to the agent: about the current question, or on the review about all of them. */
export function startMessage(turn: Turn, form: FormState): void {
  const { questions } = form.session;
  if (form.mode === "reply") return turn.say("The agent has already been told that nobody answered in time.");
  if (questions.some((question) => traitsOf(question).picks === "decision")) {
    return turn.say("An approval is allowed or denied; deny it, and give what you want to know as the reason.");
  }
  // It is being changed: what it waits for doesn't send it now.
  if (filesOfMessage(turn.ui, form.session.id).sends) changeFiles(turn, form.session.id, { sends: undefined });
  const about = questions.length > 1 ? questionOf(form)?.id : undefined;
  startEditing(turn, about === undefined ? { kind: "message" } : { kind: "message", about });
}

/** Starts a message to the agent of a settled session, with the draft that was not sent. */
export function startFollowUp(turn: Turn, form: FormState): void {
  const { id, questions } = form.session;
  if (questions.some((question) => traitsOf(question).picks === "decision"))
    return turn.say("The agent has only asked for permission, and reads no messages.");
  const draft = unsentText(form, turn.ui);
  if (draft !== undefined) turn.set({ unsent: { ...turn.ui.unsent, [id]: draft } });
  startEditing(turn, { kind: "message" });
}

/** Sends the message and returns to the form; while files are being uploaded, once they are attached. An empty message is not sent. */
export function sendMessage(turn: Turn, { session: { id, status } }: FormState, text: string, about: string | undefined): void {
  const { attached, uploading } = filesOfMessage(turn.ui, id);
  if (status !== "pending" && attached.length + uploading > 0) {
    startEditing(turn, { kind: "message", about });
    return turn.say("The question is settled; remove the files to send the text as a follow-up.", "warning");
  }
  if (uploading > 0) {
    changeFiles(turn, id, { sends: { about } });
    turn.say("Sends once the file is attached …");
  } else if (text.trim() !== "" || attached.length > 0) {
    turn.set({ unsent: { ...turn.ui.unsent, [id]: "" } });
    if (status !== "pending") {
      turn.set({ followedUp: [...turn.ui.followedUp.filter((each) => each !== id), id] });
      turn.do({ kind: "messageAgent", id, text });
    } else askBack(turn, id, text, about);
  }
  resumeText(turn);
}

function askBack(turn: Turn, session: string, text: string, about: string | undefined): void {
  const { attached: files } = filesOfMessage(turn.ui, session);
  turn.do({ kind: "askBack", session, text, about, ...(files.length > 0 && { files }) });
  if (files.length > 0) changeFiles(turn, session, { attached: [] });
}

/** A file for a message is uploaded, or was refused. The message that waits for it is sent, or kept. */
export function fileForMessage(turn: Turn, session: string, file: AnswerFile | undefined): void {
  const { attached, uploading, sends } = filesOfMessage(turn.ui, session);
  const files = file === undefined ? attached : [...attached.filter(({ sha256 }) => sha256 !== file.sha256), file];
  const isWaiting = sends !== undefined && file !== undefined && uploading > 1;
  changeFiles(turn, session, { attached: files, uploading: uploading - 1, sends: isWaiting ? sends : undefined });
  if (sends === undefined || file === undefined || isWaiting || turn.seen.form(session)?.session.status !== "pending") return;
  const text = turn.ui.unsent[session] ?? "";
  turn.set({ unsent: { ...turn.ui.unsent, [session]: "" } });
  askBack(turn, session, text, sends.about);
}

/** The message was sent: scrolls the thread to it, and says how the agent gets it. */
export function messageSent(turn: Turn, id: string): void {
  if (turn.ui.open === id) turn.set({ scroll: "thread" });
  const session = turn.seen.form(id)?.session;
  const { outlook } = turn.ui;
  if (session?.presence.asker !== "away") return turn.say("Asked. The question stays open.", "success");
  turn.say(`Asked. ${arrivalWords(session, outlook?.session === id ? outlook.told : undefined)}`, "success");
}

/** The message was rejected: restores it when the user writes to the agent again, unless another one is being written. */
export function messageRefused(turn: Turn, id: string, text: string, why: string, files: readonly AnswerFile[] = []): void {
  const { unsent, followedUp } = turn.ui;
  turn.set({ followedUp: followedUp.filter((each) => each !== id) });
  const { attached, uploading } = filesOfMessage(turn.ui, id);
  if ((unsent[id] ?? "") === "" && attached.length + uploading === 0) {
    turn.set({ unsent: { ...unsent, [id]: text } });
    if (files.length > 0) changeFiles(turn, id, { attached: files });
  }
  turn.say(why, "error");
}
