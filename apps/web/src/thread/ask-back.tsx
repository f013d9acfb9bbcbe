import type { SessionView } from "@askbox/core";
import { useAskbox } from "@askbox/react";
import { terminalLine } from "@askbox/terminal-text";
import { useState } from "react";
import type { AttachTarget } from "../attach/attachments.tsx";
import { useTranslate } from "../i18n/language.tsx";
import { useFocusPlace } from "../ui/focus-place.ts";
import { Key, KeyHint } from "../ui/key-hint.tsx";
import { later } from "../ui/later.tsx";
import { MessageField, useMessage } from "./message-field.tsx";

const AttachedFiles = later(async () => (await import("../attach/attachments.tsx")).AttachedFiles);

export interface AskBackProps {
  session: SessionView;
  /** The id of the question if only one is shown. */
  shown?: string | undefined;
}

/** A field for asking the agent something first. It is in the form but doesn't change its answers. */
export function AskBack({ session, shown }: AskBackProps) {
  const t = useTranslate();
  const { desk, inbox } = useAskbox();
  const isInField = useFocusPlace() === "elsewhere";
  const [isOpen, setOpen] = useState(false);
  /** The question it is about; empty for all of them. */
  const [about, setAbout] = useState("");
  const message = useMessage(
    session.id,
    async ({ text, files }, options) => {
      const asked = { text, ...(files.length > 0 && { files }), ...(about === "" ? {} : { questionId: about }) };
      inbox.accept(await desk.askBack(session.id, asked, options));
      setOpen(false);
    },
    () => setOpen(false),
  );

  const target: AttachTarget = {
    sessionId: session.id,
    picker: "pick-message-files",
    attached: () => message.attached.current,
    setFiles: message.attach,
    expect: message.expect,
    saved: async () => {},
  };
  const open = () => {
    // If opened by a key, a question may have the focus.
    setAbout(shown ?? document.activeElement?.closest<HTMLElement>("[data-question]")?.dataset["question"] ?? "");
    setOpen(true);
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
            disabled={message.isSending}
            data-own-keys
            onKeyDown={message.onKeyDown}
            onChange={(event) => {
              message.change();
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
      <MessageField
        message={message}
        label={t("thread.label")}
        hint={t(session.presence.asker === "away" ? "thread.away" : "thread.hint")}
        attachments={
          // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps the keys of captions from the answer's form.
          <div onKeyDown={message.onKeyDown}>
            <AttachedFiles target={target} files={message.files} />
          </div>
        }
      >
        {t("thread.send")}
        {isInField && <Key name="enter" />}
      </MessageField>
    </div>
  );
}
