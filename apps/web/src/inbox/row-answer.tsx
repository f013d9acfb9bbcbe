import type { SessionView } from "@askbox/core";
import { traitsOf } from "@askbox/core/questions";
import { lazy, Suspense, useRef, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { withWords } from "../i18n/translate.ts";

/** Loaded when somebody first answers in a row, since the list is painted without it. */
const AnswerCard = lazy(async () => ({ default: (await withWords(() => import("./answer-card.tsx"))).AnswerCard }));

/** The way to answer a single question from the list, without leaving it. */
export function RowAnswer({ session }: { session: SessionView }) {
  const t = useTranslate();
  const [isOpen, setOpen] = useState(false);
  const offer = useRef<HTMLButtonElement>(null);
  const takesWords = session.questions.every((question) => traitsOf(question).typed === "words");
  const button = (
    <button ref={offer} type="button" className="link-button row-answer-open" aria-expanded={isOpen} onClick={() => setOpen(true)}>
      {t(takesWords ? "inbox.reply" : "inbox.answer")}
    </button>
  );
  if (!isOpen) return button;
  return (
    <Suspense fallback={button}>
      <AnswerCard
        session={session}
        onClose={() => {
          const row = document.querySelector<HTMLElement>(`[data-session="${CSS.escape(session.id)}"]`);
          setOpen(false);
          row?.focus();
        }}
      />
    </Suspense>
  );
}
