import { type Idempotent, limits, toAskboxError } from "@askbox/core";
import type { AnswerFile } from "@askbox/core/questions";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { isComposing, isTouch, keyOf } from "../ui/keyboard.ts";

/**
 * A message to an agent, until it is sent: a retry of the same one has the same idempotency key. It is kept in this tab for its recipient,
 * over a reload too.
 */
export function useMessage(
  recipient: string,
  post: (message: { text: string; files: AnswerFile[] }, options: Idempotent) => Promise<void>,
  onClose: () => void,
) {
  const [text, setText] = useState(() => kept(recipient));
  const [files, setFiles] = useState<AnswerFile[]>(() => JSON.parse(kept(recipient + filesOf) || "[]"));
  const attached = useRef(files);
  const uploads = useRef(new Set<Promise<boolean>>());
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const request = useRef<string>(undefined);

  /** It was edited, so it is another message. */
  const change = () => {
    request.current = undefined;
    setProblem(undefined);
  };
  const write = (words: string) => {
    change();
    setText(words);
    keep(recipient, words);
  };
  const attach = (all: readonly AnswerFile[]) => {
    change();
    attached.current = [...all];
    setFiles(attached.current);
    keep(recipient + filesOf, all.length === 0 ? "" : JSON.stringify(all));
  };
  const expect = (upload: Promise<boolean>) => {
    uploads.current.add(upload);
    void upload.then(() => uploads.current.delete(upload));
  };
  const send = async () => {
    if (isSending || (text.trim() === "" && files.length === 0 && uploads.current.size === 0)) return;
    setSending(true);
    try {
      if ((await Promise.all(uploads.current)).includes(false)) return;
      request.current ??= crypto.getRandomValues(new Uint32Array(4)).join("-");
      await post({ text, files: attached.current }, { idempotencyKey: request.current });
      write("");
      attach([]);
    } catch (error) {
      setProblem(toAskboxError(error).message);
    } finally {
      setSending(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const key = keyOf(event);
    const isInText = event.target instanceof HTMLTextAreaElement;
    // Otherwise Enter in a caption would send the answer.
    const isInCaption = event.target instanceof HTMLInputElement;
    const isSend = key === "ctrl+enter" || (key === "enter" && (isInCaption || (!event.shiftKey && isInText && !isTouch())));
    if (!isSend && event.key !== "Escape") return;
    // Neither sends the answer nor leaves the page.
    event.preventDefault();
    event.stopPropagation();
    event.nativeEvent.stopPropagation();
    if (isSend) void send();
    else onClose();
  };
  return { text, files, attached, isSending, problem, change, write, attach, expect, send, onKeyDown, onClose };
}

const prefix = "askbox.message.";
/** After the recipient: of its files. */
const filesOf = " files";

function kept(name: string): string {
  try {
    return sessionStorage.getItem(prefix + name) ?? "";
  } catch {
    return "";
  }
}

function keep(name: string, text: string): void {
  try {
    if (text === "") sessionStorage.removeItem(prefix + name);
    else sessionStorage.setItem(prefix + name, text);
  } catch {
    // Storage is full or forbidden; the field still has the text.
  }
}

interface MessageFieldProps {
  message: ReturnType<typeof useMessage>;
  label: string;
  hint: string;
  /** Below the text. */
  attachments?: ReactNode;
  /** On the button that sends it. */
  children: ReactNode;
}

/** The field of a message, which has the focus, and its buttons. */
export function MessageField({ message, label, hint, attachments, children }: MessageFieldProps) {
  const { text, files, isSending, problem, write, send, onKeyDown, onClose } = message;
  const t = useTranslate();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <textarea
        ref={field}
        className="text"
        id={id}
        rows={1}
        data-own-keys
        maxLength={limits.askBack.max}
        value={text}
        disabled={isSending}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
        dir="auto"
      />
      {attachments}
      {problem !== undefined && (
        <p className="error" role="alert">
          {t("error.submit", { message: problem })}
        </p>
      )}
      <p className="quiet">{hint}</p>
      <div className="thread-buttons">
        <button type="button" className="button small" onClick={onClose}>
          {t("action.close")}
        </button>
        <button
          type="button"
          className="button small"
          onClick={() => void send()}
          disabled={isSending || (text.trim() === "" && files.length === 0)}
        >
          {children}
        </button>
      </div>
    </>
  );
}
