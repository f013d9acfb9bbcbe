/**
 * Files that a person attaches: to an answer, to the comment on all answers, or to a message to the agent.
 *
 * A file is chosen with the button (a phone offers its camera), pasted or dropped, and has a row at once, with the share that is uploaded. Once
 * the hub has all of it, it says type and size, and only then is the file *attached*: part of the draft, with a thumbnail, a caption and a
 * button to remove it. What is sent meanwhile waits for it. A picture can be drawn on: the drawing is uploaded as another file and takes the
 * picture's place among the files, with its caption.
 *
 * What can go wrong, and what happens then:
 * - it is too large, or not of a type that the question takes: its row says so, and what was uploaded is discarded;
 * - the hub refuses it: its row says why, in the hub's words;
 * - the connection stays lost, after the tries of `uploadFile`: its row offers another one;
 * - the person removes it on its way: the upload stops, and what is sent doesn't wait for it any longer;
 * - smaller files are uploaded before larger ones: they are attached in the order in which they were added;
 * - another device attaches or removes files meanwhile: what is attached is read when it is changed, never remembered;
 * - a drawing can't be uploaded: the picture comes back, unless something in it was to be hidden.
 */
import type { Question, QuestionOf } from "@askbox/core";
import { type AnswerFile, type AnswerProblem, answerProblem, bytesText, maxFiles, traitsOf } from "@askbox/core/questions";
import type { AnswerForm, Field, FormState } from "@askbox/inbox";
import { useAskbox } from "@askbox/react";
import { type ChangeEvent, type RefObject, useEffect, useRef, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { sayProblem } from "../i18n/phrases.ts";
import { activeQuestion } from "../session/form-action.ts";
import { AgentText } from "../ui/agent-text.tsx";
import { KeyHint } from "../ui/key-hint.tsx";
import { takesText } from "../ui/keyboard.ts";
import { later } from "../ui/later.tsx";
import type { Drawing } from "./drawing-dialog.tsx";
import { FileView, isPicture } from "./file-view.tsx";
import { discardFile, Refused, uploadFile } from "./files-client.ts";
import "./attach.css";

const DrawingDialog = later(async () => (await import("./drawing-dialog.tsx")).DrawingDialog);

/** What files are attached to: an answer, the comment on all answers, or a message to the agent. */
export interface AttachTarget {
  sessionId: string;
  /** The test id of its file picker. */
  picker: "pick-files" | "pick-comment-files" | "pick-message-files";
  /** What is attached by now, also on another device. */
  attached(): readonly AnswerFile[];
  setFiles(files: readonly AnswerFile[]): void;
  /** Tells of an upload, which resolves with whether what is sent may go without waiting for it any longer. */
  expect(upload: Promise<boolean>): void;
  /** Resolves when the hub knows what is attached. */
  saved(): Promise<void>;
}

interface AttachmentsProps {
  question: Question;
  field: Field;
  form: AnswerForm;
  /** The elements that describe the button. */
  describedBy?: string | undefined;
}

/** What is attached to an answer. */
export function Attachments({ question, field, form, describedBy }: AttachmentsProps) {
  const target: AttachTarget = {
    sessionId: form.getState().session.id,
    picker: "pick-files",
    attached: () => form.getState().fields[question.id]?.files ?? [],
    setFiles: (files) => form.setFiles(question.id, files),
    expect: (upload) => form.expectFile(question.id, upload),
    saved: () => form.flush(),
  };
  return <AttachedFiles target={target} files={field.files ?? []} question={question} describedBy={describedBy} hasKey />;
}

/** What comes with the comment on all answers. */
export function CommentFiles({ form, state }: { form: AnswerForm; state: FormState }) {
  const target: AttachTarget = {
    sessionId: state.session.id,
    picker: "pick-comment-files",
    attached: () => form.getState().files ?? [],
    setFiles: (files) => form.setComment(form.getState().comment, [...files]),
    expect: (upload) => form.expectFile(undefined, upload),
    saved: () => form.flush(),
  };
  // As long as a question is active, the key is its own.
  return <AttachedFiles target={target} files={state.files ?? []} hasKey={activeQuestion(state, undefined) === undefined} />;
}

interface AttachedFilesProps extends Partial<Pick<AttachmentsProps, "question" | "describedBy">> {
  target: AttachTarget;
  files: readonly AnswerFile[];
  /** Whether its key attaches here. */
  hasKey?: boolean;
}

/** What is attached and what is on its way, and the button, the key and the place for more. */
export function AttachedFiles({ target, files, question, describedBy, hasKey }: AttachedFilesProps) {
  const t = useTranslate();
  const own = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [drawnOn, setDrawnOn] = useState<AnswerFile>();
  const attaching = useAttaching(target, question);
  const { uploads, drawings } = attaching;
  const isAnswer = takesOnlyFiles(question);
  const { accept, maxFiles: most = maxFiles } = limitsOf(question);
  const room = Math.max(0, most - files.length - uploads.length);
  const addAll = (added: readonly File[]) => {
    for (const file of added.slice(0, room)) attaching.add(file);
  };
  useGivenFiles(own, addAll);
  const onPick = ({ target: picker }: ChangeEvent<HTMLInputElement>) => {
    addAll([...(picker.files ?? [])]);
    picker.value = "";
  };
  return (
    <div ref={own} className="attachments" data-extra={isAnswer ? undefined : "files"}>
      {(files.length > 0 || uploads.length > 0) && (
        <ul className="files" aria-label={t("files.label")}>
          {files.map((file) => (
            <li key={file.sha256} className="file">
              <FileView sessionId={target.sessionId} file={file} isNew />
              <input
                value={file.caption ?? ""}
                maxLength={1_000}
                placeholder={t("files.caption")}
                aria-label={t("files.caption.of", { name: file.name })}
                // The box of a message uses Enter itself.
                data-own-keys={target.picker === "pick-message-files" || undefined}
                onChange={(event) => attaching.setCaption(file, event.target.value)}
              />
              {isPicture(file) && <FileButton label={t("drawing.open")} of={file} onClick={() => setDrawnOn(file)} />}
              <FileButton label={t("files.remove")} of={file} onClick={() => attaching.remove(file)} />
            </li>
          ))}
          {uploads.map((upload) => (
            <li key={upload.number} className="file">
              <AgentText className="file-facts">{upload.file.name}</AgentText>
              {upload.failure === undefined ? (
                <progress value={upload.share} aria-label={t("files.uploading", { name: upload.file.name })} />
              ) : (
                <span className="error" role="alert">
                  {upload.failure}
                </span>
              )}
              {upload.again && <FileButton label={t("pictures.again")} of={upload.file} onClick={() => attaching.retry(upload)} />}
              <FileButton label={t("files.remove")} of={upload.file} onClick={() => attaching.drop(upload)} />
            </li>
          ))}
        </ul>
      )}
      <input ref={input} type="file" hidden onChange={onPick} multiple={most > 1} accept={accept?.join(",")} data-testid={target.picker} />
      {room > 0 && (
        <button
          type="button"
          className={isAnswer ? "attach-button" : "link-button tool"}
          aria-describedby={describedBy}
          onClick={() => input.current?.click()}
        >
          {t(isAnswer ? "files.choose" : "files.add")}
          {hasKey && <KeyHint action="attach" />}
        </button>
      )}
      {drawnOn !== undefined && (
        <DrawingDialog
          sessionId={target.sessionId}
          file={drawnOn}
          drawing={drawings.get(drawnOn.sha256)}
          onClose={(drawing) => {
            if (drawing !== undefined) drawings.set(drawnOn.sha256, drawing);
            setDrawnOn(undefined);
          }}
          onDone={(drawn, drawing) => {
            setDrawnOn(undefined);
            attaching.replace(drawnOn, drawn, drawing);
          }}
        />
      )}
    </div>
  );
}

/** A button of a file's row, which names the file to those who don't see the row. */
function FileButton({ label, of, onClick }: { label: string; of: { name: string }; onClick(): void }) {
  return (
    <button type="button" className="link-button" onClick={onClick}>
      {label}
      <span className="visually-hidden"> {of.name}</span>
    </button>
  );
}

/** Whether files are the answer itself, with limits of the question's own. */
const takesOnlyFiles = (question: Question | undefined): question is Question =>
  question !== undefined && traitsOf(question).attached === true;

const limitsOf = (question: Question | undefined) => (question ?? {}) as Partial<QuestionOf<"file">>;

/** What surrounds the button, on which files are dropped or pasted. */
const owner = ".question, .comment, .thread-ask";

/** Takes the files that are pasted or dropped on what surrounds an element. */
function useGivenFiles(own: RefObject<HTMLElement | null>, onFiles: (files: readonly File[]) => void): void {
  const latest = useRef(onFiles);
  latest.current = onFiles;
  useEffect(() => {
    const element = own.current?.closest<HTMLElement>(owner);
    if (!element) return;
    // With the focus on the title, or on nothing, the first question that takes files gets them.
    const isHere = ({ target }: Event) => {
      if (!(target instanceof Element) || element.contains(target)) return element.contains(target as Node | null);
      const isFirst = document.querySelector(".attachments") === own.current;
      return isFirst && !takesText(target) && target.closest(`${owner}, dialog`) === null;
    };
    const onGiven = (event: ClipboardEvent | DragEvent) => {
      element.removeAttribute("data-drop");
      const data = "clipboardData" in event ? event.clipboardData : event.dataTransfer;
      const given = [...(data?.files ?? [])];
      // A text stays one, even if its program offers a picture of it too.
      if (given.length === 0 || data?.types.includes("text/plain") || !isHere(event)) return;
      event.preventDefault();
      latest.current(given);
    };
    const onDrag = (event: DragEvent) => {
      const isOver = event.dataTransfer?.types.includes("Files") === true && isHere(event);
      element.toggleAttribute("data-drop", isOver);
      if (isOver) event.preventDefault();
    };
    const onLeave = () => element.removeAttribute("data-drop");
    document.addEventListener("paste", onGiven);
    document.addEventListener("drop", onGiven);
    document.addEventListener("dragover", onDrag);
    document.addEventListener("dragleave", onLeave);
    return () => {
      document.removeEventListener("paste", onGiven);
      document.removeEventListener("drop", onGiven);
      document.removeEventListener("dragover", onDrag);
      document.removeEventListener("dragleave", onLeave);
    };
  }, [own]);
}

/** A file on its way to the hub, or one that did not get there. */
interface Upload {
  /** Counts the files that were added. */
  number: number;
  file: File;
  /** For a drawing, what it takes the place of. */
  instead?: Instead | undefined;
  /** How much of it has arrived, 0 to 1. */
  share: number;
  stop: AbortController;
  /** Why it failed. */
  failure?: string;
  /** Whether it might not fail again. */
  again?: boolean;
}

/** The picture that was drawn on, and where that was among the files. */
interface Instead {
  file: AnswerFile;
  at: number;
  drawing: Drawing;
}

let numbers = 0;

/** What a person does with the files of one target, from adding one until it is attached, changed or removed. */
function useAttaching(target: AttachTarget, question: Question | undefined) {
  const t = useTranslate();
  const { clock } = useAskbox();
  const { sessionId } = target;
  const { maxBytes } = limitsOf(question);
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  /** What was drawn here, by file, so that it can be changed; on another device a drawing is only a picture. */
  const drawings = useRef(new Map<string, Drawing>()).current;
  /** The numbers of what was attached here, by file. */
  const order = useRef(new Map<string, number>()).current;
  const numberOf = ({ sha256 }: AnswerFile) => order.get(sha256) ?? 0;

  const add = (file: File, instead?: Instead) => {
    const upload: Upload = { number: ++numbers, file, instead, share: 0, stop: new AbortController() };
    setUploads((all) => [...all, upload]);
    target.expect(send(upload));
  };
  const change = ({ number }: Upload, to: Partial<Upload>) =>
    setUploads((all) => all.map((other) => (other.number === number ? { ...other, ...to } : other)));
  const forget = ({ number }: Upload) => setUploads((all) => all.filter((other) => other.number !== number));

  /** Uploads a file and attaches it. Resolves with whether the answer has it, or is to be sent without it. */
  const send = async (upload: Upload): Promise<boolean> => {
    const { file, instead, stop } = upload;
    try {
      if (maxBytes !== undefined && file.size > maxBytes) {
        return fail(upload, t("error.file_too_large", { message: "", limit: bytesText(maxBytes) }));
      }
      const onProgress = (share: number) => change(upload, { share });
      const stored = await uploadFile({ clock, sessionId, file, signal: stop.signal, onProgress });
      const problem = problemWith(question, { ...stored, name: file.name });
      if (problem !== undefined) {
        discardFile(clock, sessionId, stored.sha256);
        return fail(upload, sayProblem(t, problem));
      }
      order.set(stored.sha256, instead === undefined ? upload.number : numberOf(instead.file));
      if (instead === undefined) attach(stored);
      else {
        attach({ ...stored, ...(instead.file.caption && { caption: instead.file.caption }) }, instead.at);
        drawings.set(stored.sha256, instead.drawing);
        discard(instead.file);
      }
      forget(upload);
      return true;
    } catch (error) {
      if (stop.signal.aborted) return true;
      return error instanceof Refused ? fail(upload, error.message) : fail(upload, t("files.lost"), true);
    }
  };
  const fail = (upload: Upload, failure: string, again = false): false => {
    change(upload, { failure, again });
    const { instead } = upload;
    // Back to the picture, unless something in it is to be hidden.
    if (instead !== undefined && !again && !instead.drawing.marks.some(({ tool }) => tool === "blur")) attach(instead.file, instead.at);
    return false;
  };

  /** Attaches an uploaded file, in the order in which they were added, or at an index. */
  const attach = (file: AnswerFile, at?: number) => {
    const present = target.attached();
    if (present.some(({ sha256 }) => sha256 === file.sha256)) return;
    const inOrder = () => [...present, file].sort((first, second) => numberOf(first) - numberOf(second));
    target.setFiles(at === undefined ? inOrder() : present.toSpliced(at, 0, file));
  };
  /** The hub keeps what a draft names. */
  const discard = ({ sha256 }: AnswerFile) => void target.saved().then(() => discardFile(clock, sessionId, sha256));

  /** Takes away a file that is on its way, or failed. */
  const drop = (upload: Upload) => {
    upload.stop.abort();
    forget(upload);
  };
  const retry = (upload: Upload) => {
    drop(upload);
    add(upload.file, upload.instead);
  };
  const remove = (file: AnswerFile) => {
    target.setFiles(target.attached().filter(({ sha256 }) => sha256 !== file.sha256));
    discard(file);
  };
  const setCaption = ({ sha256 }: AnswerFile, caption: string) =>
    target.setFiles(target.attached().map((other) => (other.sha256 === sha256 ? { ...other, caption } : other)));
  /** Puts a drawing in a picture's place. The picture goes before the drawing is there, so that what is blurred can't be sent. */
  const replace = ({ sha256 }: AnswerFile, drawn: File, drawing: Drawing) => {
    const present = target.attached();
    const at = present.findIndex((one) => one.sha256 === sha256);
    const file = present[at];
    // Otherwise it was removed on another device, which removes the drawing too.
    if (file === undefined) return;
    // If it comes back, so do the marks.
    drawings.set(sha256, { ...drawing, attached: drawings.get(sha256)?.attached ?? [] });
    target.setFiles(present.toSpliced(at, 1));
    add(drawn, { file, at, drawing });
  };
  return { uploads, drawings, add, drop, retry, remove, setCaption, replace };
}

/** Why a question doesn't take a file as its answer, by what the hub found in it. */
const problemWith = (question: Question | undefined, { name, mimeType, size }: AnswerFile): AnswerProblem | undefined =>
  takesOnlyFiles(question)
    ? answerProblem(question, { questionId: question.id, values: [], files: [{ name, mimeType, size, sha256: "" }] })
    : undefined;
