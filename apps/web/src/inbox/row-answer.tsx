import type { SessionView } from "@askbox/core";
import { traitsOf } from "@askbox/core/questions";
import { useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { Icon } from "../ui/icons.tsx";
import { later } from "../ui/later.tsx";

/** Loaded when a question is first answered in a row, since painting the list doesn't need it. */
const AnswerCard = later(async () => (await import("./answer-card.tsx")).AnswerCard);

/** Answers a single question from within the list: a button at the end of its row opens a card below. */
export function RowAnswer({ session, title }: { session: SessionView; title: string }) {
  const t = useTranslate();
  const [isOpen, setOpen] = useState(false);
  const takesWords = session.questions.every((question) => traitsOf(question).typed === "words");
  const label = t(takesWords ? "inbox.reply" : "inbox.answer");
  const button = (
    <button
      type="button"
      className="icon-button row-answer-open"
      aria-expanded={isOpen}
      aria-label={`${label}: ${title}`}
      title={label}
      onClick={() => setOpen(true)}
    >
      <Icon name="chevron" />
    </button>
  );
  if (!isOpen) return button;
  return (
    <AnswerCard
      fallback={button}
      session={session}
      onClose={() => {
        const row = document.querySelector<HTMLElement>(`[data-session="${CSS.escape(session.id)}"]`);
        setOpen(false);
        row?.focus();
      }}
    />
  );
}
