import { limits, toAskboxError } from "@askbox/core";
import { useAskbox } from "@askbox/react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { isComposing, keyOf } from "../ui/keyboard.ts";

/** A field for writing to an agent that has not asked. `onClose` is told whether the message was sent. */
export function MessageForm({ agentId, onClose }: { agentId: string; onClose(isSent: boolean): void }) {
  const t = useTranslate();
  const { desk, inbox } = useAskbox();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState("");
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  /** The idempotency key, kept while the same text is retried. */
  const request = useRef<string>(undefined);
  useEffect(() => field.current?.focus(), []);

  const write = (words: string) => {
    request.current = undefined;
    setProblem(undefined);
    setText(words);
  };
  const send = async () => {
    if (text.trim() === "" || isSending) return;
    request.current ??= crypto.getRandomValues(new Uint32Array(4)).join("-");
    setSending(true);
    try {
      const session = await desk.message(agentId, text, { idempotencyKey: request.current });
      if (session.status === "pending") inbox.accept(session);
      onClose(true);
    } catch (error) {
      setProblem(toAskboxError(error).message);
      setSending(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const isSend = keyOf(event) === "ctrl+enter";
    if (!isSend && event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    if (isSend) void send();
    else onClose(false);
  };
  return (
    <div className="agent-message">
      <label htmlFor={id}>{t("agents.message.label")}</label>
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
      <p className="quiet">{t("agents.message.hint")}</p>
      <div className="thread-buttons">
        <button type="button" className="button small" onClick={() => onClose(false)}>
          {t("action.close")}
        </button>
        <button type="button" className="button small" onClick={() => void send()} disabled={isSending || text.trim() === ""}>
          {t("agents.message.send")}
        </button>
      </div>
    </div>
  );
}
