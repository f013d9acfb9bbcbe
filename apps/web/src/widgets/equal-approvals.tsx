import { type QuestionOf, type SessionView, toAskboxError } from "@askbox/core";
import { equalApprovals } from "@askbox/inbox/list";
import { useAskbox, useInbox } from "@askbox/react";
import { useContext, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { LookContext } from "./use-look.ts";

/** Decides several approvals of the same action at once: only those that somebody has opened. */
export function EqualApprovals({ session, question }: { session: SessionView; question: QuestionOf<"approval"> }) {
  const t = useTranslate();
  const { desk } = useAskbox();
  const { pending } = useInbox();
  const mayAllow = useContext(LookContext);
  const [failure, setFailure] = useState<string>();
  const equal = equalApprovals(session, question, [...pending.values()]);
  const unseen = equal.filter(({ seenAt }) => seenAt === undefined).length;
  if (equal.length === 0 || session.status !== "pending") return null;
  const decide = async (value: "allow" | "deny") => {
    if (value === "allow" && !mayAllow(question.id)) return;
    setFailure(undefined);
    try {
      for (const { id, questions } of [session, ...equal]) {
        await desk.answer(id, { answers: questions.map((each) => ({ questionId: each.id, values: [value] })) });
      }
    } catch (thrown) {
      setFailure(toAskboxError(thrown).message);
    }
  };
  const count = equal.length + 1;
  return (
    <div className="approval-equal">
      <p>{unseen > 0 ? t("approval.equal.unseen", { count, unseen }) : t("approval.equal", { count })}</p>
      {unseen === 0 && (
        <p className="approval-buttons">
          <button type="button" className="button" onClick={() => void decide("deny")}>
            {t("approval.equal.deny", { count })}
          </button>
          <button type="button" className="button" onClick={() => void decide("allow")}>
            {t("approval.equal.allow", { count })}
          </button>
        </p>
      )}
      {failure !== undefined && (
        <p className="error" role="alert">
          {failure}
        </p>
      )}
    </div>
  );
}
