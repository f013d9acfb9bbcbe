import type { SessionView } from "@askbox/core";
import { lazy, Suspense, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";

/** Loaded when somebody first replies, since the list is painted without it. */
const ReplyCard = lazy(async () => ({ default: (await import("./reply-card.tsx")).ReplyCard }));

/** The way to answer a question in plain words from the list, without leaving it. */
export function InlineReply({ session }: { session: SessionView }) {
  const t = useTranslate();
  const [isOpen, setOpen] = useState(false);
  const offer = (
    <button type="button" className="link-button row-reply-open" onClick={() => setOpen(true)}>
      {t("inbox.reply")}
    </button>
  );
  if (!isOpen) return offer;
  return (
    <Suspense fallback={offer}>
      <ReplyCard session={session} onClose={() => setOpen(false)} />
    </Suspense>
  );
}
