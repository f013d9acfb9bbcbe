import { type Idempotent, limits, toAskboxError } from "@askbox/core";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { isComposing, isTouch, keyOf } from "../ui/keyboard.ts";

/**
 * A message to an agent, until it is sent: a retry of the same text has the same idempotency key. The text is kept in this tab for its
 * recipient, over a reload too.
 */
export function useMessage(recipient: string, post: (text: string, options: Idempotent) => Promise<void>, onClose: () => void) {
  const [text, setText] = useState(() => keptText(recipient));
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
    keepText(recipient, words);
  };
  const send = async () => {
    if (text.trim() === "" || isSending) return;
    request.current ??= crypto.getRandomValues(new Uint32Array(4)).join("-");
    setSending(true);
    try {
      await post(text, { idempotencyKey: request.current });
      write("");
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
    const isSend = key === "ctrl+enter" || (key === "enter" && !event.shiftKey && isInText && !isTouch());
    if (!isSend && event.key !== "Escape") return;
    // Neither sends the answer nor leaves the page.
    event.preventDefault();
    event.stopPropagation();
    event.nativeEvent.stopPropagation();
    if (isSend) void send();
    else onClose();
  };
  return { text, isSending, problem, change, write, send, onKeyDown, onClose };
}

const prefix = "askbox.message.";

function keptText(recipient: string): string {
  try {
    return sessionStorage.getItem(prefix + recipient) ?? "";
  } catch {
    return "";
  }
}

function keepText(recipient: string, text: string): void {
  try {
    if (text === "") sessionStorage.removeItem(prefix + recipient);
    else sessionStorage.setItem(prefix + recipient, text);
  } catch {
    // Storage is full or forbidden; the field still has the text.
  }
}

interface MessageFieldProps {
  message: ReturnType<typeof useMessage>;
  label: string;
  hint: string;
  /** On the button that sends it. */
  children: ReactNode;
}

/** The field of a message, which has the focus, and its buttons. */
export function MessageField({ message, label, hint, children }: MessageFieldProps) {
  const { text, isSending, problem, write, send, onKeyDown, onClose } = message;
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
        <button type="button" className="button small" onClick={() => void send()} disabled={isSending || text.trim() === ""}>
          {children}
        </button>
      </div>
    </>
  );
}
