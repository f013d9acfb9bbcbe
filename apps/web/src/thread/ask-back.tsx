import { limits, type SessionView, toAskboxError } from "@askbox/core";
import { useAskbox } from "@askbox/react";
import { terminalLine } from "@askbox/terminal-text";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { useFocusPlace } from "../ui/focus-place.ts";
import { Key, KeyHint } from "../ui/key-hint.tsx";
import { isComposing, isTouch, keyOf } from "../ui/keyboard.ts";

export interface AskBackProps {
  session: SessionView;
  /** The id of the question if only one is shown. */
  shown?: string | undefined;
}

/** A field for asking the agent something first. It is in the form but doesn't change its answers. */
export function AskBack({ session, shown }: AskBackProps) {
  const t = useTranslate();
  const { desk, inbox } = useAskbox();
  const id = useId();
  const isInField = useFocusPlace() === "elsewhere";
  const field = useRef<HTMLTextAreaElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("");
  /** The question it is about; empty for all of them. */
  const [about, setAbout] = useState("");
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  /** The idempotency key, kept while the same text is retried. */
  const request = useRef<string>(undefined);

  useEffect(() => {
    if (isOpen) field.current?.focus();
  }, [isOpen]);

  const open = () => {
    // If opened by a key, a question may have the focus.
    setAbout(shown ?? document.activeElement?.closest<HTMLElement>("[data-question]")?.dataset["question"] ?? "");
    setOpen(true);
  };
  /** The text was edited, so it is another message. */
  const change = () => {
    request.current = undefined;
    setProblem(undefined);
  };
  const write = (words: string) => {
    change();
    setText(words);
  };
  const send = async () => {
    if (text.trim() === "" || isSending) return;
    request.current ??= crypto.getRandomValues(new Uint32Array(4)).join("-");
    setSending(true);
    try {
      inbox.accept(
        await desk.askBack(session.id, { text, ...(about === "" ? {} : { questionId: about }) }, { idempotencyKey: request.current }),
      );
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
    const key = keyOf(event);
    const isSend = key === "ctrl+enter" || (key === "enter" && !event.shiftKey && event.target === field.current && !isTouch());
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
      <div data-extra="ask-back">
        <button type="button" className="button small" onClick={open} data-testid="ask-back">
          {t("thread.ask")}
          <KeyHint action="askBack" />
        </button>
      </div>
    );
  }
  return (
    <div className="thread-ask" data-extra="ask-back">
      {session.questions.length > 1 && (
        <label className="thread-about">
          {t("thread.about.label")}
          <select
            value={about}
            disabled={isSending}
            data-own-keys
            onKeyDown={onKeyDown}
            onChange={(event) => {
              change();
              setAbout(event.target.value);
            }}
          >
            <option value="">{t("thread.about.all")}</option>
            {session.questions.map(({ id, header }, index) => (
              <option key={id} value={id}>
                {[t("thread.about.question", { number: index + 1 }), ...(header === undefined ? [] : [terminalLine(header)])].join(": ")}
              </option>
            ))}
          </select>
        </label>
      )}
      <label htmlFor={id}>{t("thread.label")}</label>
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
      <p className="quiet">{t(session.presence.asker === "away" ? "thread.away" : "thread.hint")}</p>
      <div className="thread-buttons">
        <button type="button" className="button small" onClick={() => setOpen(false)}>
          {t("action.close")}
        </button>
        <button type="button" className="button small" onClick={() => void send()} disabled={isSending || text.trim() === ""}>
          {t("thread.send")}
          {isInField && <Key name="enter" />}
        </button>
      </div>
    </div>
  );
}
