import { limits, type SessionView, toAskboxError } from "@askbox/core";
import { useDesk, useSurface } from "@askbox/react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { isComposing, keyOf } from "../ui/keyboard.ts";

/** A field to ask the agent something first. It stands in the form, whose answers it does not touch. */
export function AskBack({ session }: { session: SessionView }) {
  const t = useTranslate();
  const desk = useDesk();
  const { inbox } = useSurface();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("");
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  /** The same for each try to send the same words. */
  const request = useRef<string>(undefined);

  useEffect(() => {
    if (isOpen) field.current?.focus();
  }, [isOpen]);

  const write = (words: string) => {
    request.current = undefined;
    setText(words);
    setProblem(undefined);
  };
  const send = async () => {
    if (text.trim() === "" || isSending) return;
    request.current ??= crypto.getRandomValues(new Uint32Array(4)).join("-");
    setSending(true);
    try {
      inbox.accept(await desk.askBack(session.id, { text }, { idempotencyKey: request.current }));
      write("");
      setOpen(false);
    } catch (error) {
      setProblem(toAskboxError(error).message);
    } finally {
      setSending(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const isSend = keyOf(event) === "ctrl+enter";
    if (!isSend && event.key !== "Escape") return;
    // Neither sends the answer nor leaves the question.
    event.preventDefault();
    event.stopPropagation();
    event.nativeEvent.stopPropagation();
    if (isSend) void send();
    else setOpen(false);
  };

  if (!isOpen) {
    return (
      <button type="button" className="button small" onClick={() => setOpen(true)} data-testid="ask-back">
        {t("thread.ask")}
      </button>
    );
  }
  return (
    <div className="thread-ask">
      <label htmlFor={id}>{t("thread.label")}</label>
      <textarea
        ref={field}
        className="text"
        id={id}
        rows={3}
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
      <p className="quiet">{t(session.presence.asker === "away" ? "thread.away" : "thread.hint")}</p>
      <div className="thread-buttons">
        <button type="button" className="button small" onClick={() => setOpen(false)}>
          {t("action.close")}
        </button>
        <button type="button" className="button small" onClick={() => void send()} disabled={isSending || text.trim() === ""}>
          {t("thread.send")}
        </button>
      </div>
    </div>
  );
}
