import type { Question, QuestionOf } from "@askbox/core";
import { type AnswerFile, answerProblem, bytesText, maxFiles, traitsOf } from "@askbox/core/questions";
import type { AnswerForm, Field, FormState } from "@askbox/inbox";
import { useAskbox } from "@askbox/react";
import { type ChangeEvent, useEffect, useRef, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { sayProblem } from "../i18n/phrases.ts";
import { activeQuestion } from "../session/form-action.ts";
import { AgentText } from "../ui/agent-text.tsx";
import { KeyHint } from "../ui/key-hint.tsx";
import { takesText } from "../ui/keyboard.ts";
import { later } from "../ui/later.tsx";
import type { Drawing } from "./drawing.ts";
import { FileView, isPicture } from "./file-view.tsx";
import { discardFile, Refused, uploadFile } from "./files-client.ts";
import "./attach.css";

interface Uploading {
  key: number;
  file: File;
  /** The picture that it was drawn on, and where that was. */
  instead?: Instead | undefined;
  share: number;
  stop: AbortController;
  /** Why it failed. */
  failure?: string;
  /** Whether it might not fail again. */
  again?: boolean;
}

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

interface Instead {
  file: AnswerFile;
  at: number;
  drawing: Drawing;
}

const DrawingDialog = later(async () => (await import("./drawing-dialog.tsx")).DrawingDialog);

let keys = 0;

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

/** What surrounds it, on which files are dropped or pasted. */
const owner = ".question, .comment, .thread-ask";

interface AttachedFilesProps extends Partial<Pick<AttachmentsProps, "question" | "describedBy">> {
  target: AttachTarget;
  files: readonly AnswerFile[];
  /** Whether its key attaches here. */
  hasKey?: boolean;
}

/** What is attached: by a button, which on a phone offers the camera, by pasting, or by dropping. */
export function AttachedFiles({ target, files, question, describedBy, hasKey }: AttachedFilesProps) {
  const t = useTranslate();
  const { clock } = useAskbox();
  const { sessionId } = target;
  const isAnswer = question !== undefined && traitsOf(question).attached === true;
  const { accept, maxFiles: most = maxFiles, maxBytes } = (question ?? {}) as Partial<QuestionOf<"file">>;
  const own = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [uploads, setUploads] = useState<readonly Uploading[]>([]);
  /** What was drawn here, so that it can be changed; on another device a drawing is only a picture. */
  const drawings = useRef(new Map<string, Drawing>());
  const [drawnOn, setDrawnOn] = useState<AnswerFile>();
  // Of several that are added at once, the smallest is uploaded first.
  const order = useRef(new Map<string, number>());
  const place = ({ sha256 }: AnswerFile) => order.current.get(sha256) ?? 0;

  /** Attaches an uploaded file, in the order in which they were added, or at an index. */
  const attach = (file: AnswerFile, at?: number) => {
    const present = target.attached();
    if (present.some(({ sha256 }) => sha256 === file.sha256)) return;
    target.setFiles(
      at === undefined ? [...present, file].sort((first, second) => place(first) - place(second)) : present.toSpliced(at, 0, file),
    );
  };
  /** Uploads a file and attaches it. Resolves with whether the answer has it, or is to be sent without it. */
  const add = async (file: File, instead?: Instead): Promise<boolean> => {
    const one: Uploading = { key: ++keys, file, instead, share: 0, stop: new AbortController() };
    const update = (change: Partial<Uploading>) =>
      setUploads((all) => all.map((other) => (other.key === one.key ? { ...other, ...change } : other)));
    const fail = (failure: string, again = false) => {
      update({ failure, again });
      // Back to the picture, unless something in it is to be hidden.
      if (instead !== undefined && !again && !instead.drawing.marks.some(({ tool }) => tool === "blur")) attach(instead.file, instead.at);
      return false;
    };
    setUploads((all) => [...all, one]);
    const refused = (mimeType: string, size: number) =>
      isAnswer
        ? answerProblem(question, { questionId: question.id, values: [], files: [{ name: file.name, mimeType, size, sha256: "" }] })
        : undefined;
    try {
      if (maxBytes !== undefined && file.size > maxBytes) {
        return fail(t("error.file_too_large", { message: "", limit: bytesText(maxBytes) }));
      }
      const uploaded = await uploadFile({ clock, sessionId, file, signal: one.stop.signal, onProgress: (share) => update({ share }) });
      const wrong = refused(uploaded.mimeType, uploaded.size);
      if (wrong !== undefined) {
        void discardFile(clock, sessionId, uploaded.sha256);
        return fail(sayProblem(t, wrong));
      }
      if (instead === undefined) {
        order.current.set(uploaded.sha256, one.key);
        attach(uploaded);
      } else {
        order.current.set(uploaded.sha256, place(instead.file));
        attach({ ...uploaded, ...(instead.file.caption && { caption: instead.file.caption }) }, instead.at);
        drawings.current.set(uploaded.sha256, instead.drawing);
        discard(instead.file);
      }
      setUploads((all) => all.filter(({ key }) => key !== one.key));
      return true;
    } catch (error) {
      return one.stop.signal.aborted || (error instanceof Refused ? fail(error.message) : fail(t("files.lost"), true));
    }
  };
  const start = (file: File, instead?: Instead) => target.expect(add(file, instead));
  const addAll = (added: readonly File[]) => {
    for (const file of added.slice(0, Math.max(0, most - files.length - uploads.length))) start(file);
  };
  const latest = useRef(addAll);
  latest.current = addAll;

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
      const transferred = [...(data?.files ?? [])];
      // A text stays one, even if its program offers a picture of it too.
      if (transferred.length === 0 || data?.types.includes("text/plain") || !isHere(event)) return;
      event.preventDefault();
      latest.current(transferred);
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
  }, []);

  const discard = (file: AnswerFile) => void target.saved().then(() => discardFile(clock, sessionId, file.sha256));
  const remove = (file: AnswerFile) => {
    target.setFiles(target.attached().filter(({ sha256 }) => sha256 !== file.sha256));
    discard(file);
  };
  const setCaption = ({ sha256 }: AnswerFile, caption: string) =>
    target.setFiles(target.attached().map((other) => (other.sha256 === sha256 ? { ...other, caption } : other)));
  const drop = ({ key, stop }: Uploading) => {
    stop.abort();
    setUploads((all) => all.filter((other) => other.key !== key));
  };
  const retry = (one: Uploading) => {
    drop(one);
    start(one.file, one.instead);
  };
  /** Without the picture until the drawing is there, so that what is blurred can't be sent. */
  const replace = ({ sha256 }: AnswerFile, drawn: File, drawing: Drawing) => {
    const present = target.attached();
    const at = present.findIndex((one) => one.sha256 === sha256);
    const file = present[at];
    // Otherwise it was removed on another device, which removes the drawing too.
    if (file === undefined) return;
    // If it comes back, so do the marks.
    drawings.current.set(sha256, { ...drawing, attached: drawings.current.get(sha256)?.attached ?? [] });
    target.setFiles(present.toSpliced(at, 1));
    start(drawn, { file, at, drawing });
  };
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
              <FileView sessionId={sessionId} file={file} isNew />
              <input
                value={file.caption ?? ""}
                maxLength={1_000}
                placeholder={t("files.caption")}
                aria-label={t("files.caption.of", { name: file.name })}
                // The box of a message uses Enter itself.
                data-own-keys={target.picker === "pick-message-files" || undefined}
                onChange={(event) => setCaption(file, event.target.value)}
              />
              {isPicture(file) && (
                <button type="button" className="link-button" onClick={() => setDrawnOn(file)}>
                  {t("drawing.open")}
                  <span className="visually-hidden"> {file.name}</span>
                </button>
              )}
              <button type="button" className="link-button" onClick={() => remove(file)}>
                {t("files.remove")}
                <span className="visually-hidden"> {file.name}</span>
              </button>
            </li>
          ))}
          {uploads.map((one) => (
            <li key={one.key} className="file">
              <AgentText className="file-facts">{one.file.name}</AgentText>
              {one.failure === undefined ? (
                <progress value={one.share} aria-label={t("files.uploading", { name: one.file.name })} />
              ) : (
                <span className="error" role="alert">
                  {one.failure}
                </span>
              )}
              {one.again && (
                <button type="button" className="link-button" onClick={() => retry(one)}>
                  {t("pictures.again")}
                  <span className="visually-hidden"> {one.file.name}</span>
                </button>
              )}
              <button type="button" className="link-button" onClick={() => drop(one)}>
                {t("files.remove")}
                <span className="visually-hidden"> {one.file.name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <input ref={input} type="file" hidden onChange={onPick} multiple={most > 1} accept={accept?.join(",")} data-testid={target.picker} />
      {files.length + uploads.length < most && (
        <button
          type="button"
          className={isAnswer ? "attach-button" : "link-button"}
          aria-describedby={describedBy}
          onClick={() => input.current?.click()}
        >
          {t(isAnswer ? "files.choose" : "files.add")}
          {hasKey && <KeyHint action="attach" />}
        </button>
      )}
      {drawnOn !== undefined && (
        <DrawingDialog
          sessionId={sessionId}
          file={drawnOn}
          drawing={drawings.current.get(drawnOn.sha256)}
          onClose={(drawing) => {
            if (drawing !== undefined) drawings.current.set(drawnOn.sha256, drawing);
            setDrawnOn(undefined);
          }}
          onDone={(drawn, drawing) => {
            setDrawnOn(undefined);
            replace(drawnOn, drawn, drawing);
          }}
        />
      )}
    </div>
  );
}
