import type { AnswerForm, FormState } from "@askbox/inbox";
import { useNow } from "@askbox/react";
import { sayDuration } from "../i18n/first-phrases.ts";
import { useTranslate } from "../i18n/language.tsx";
import { sayActor } from "../i18n/phrases.ts";
import { Link, sessionPath } from "../router/router.tsx";
import { KeyHint } from "../ui/key-hint.tsx";
import { DecisionBar, type DecisionBarProps } from "./decision-bar.tsx";
import { DocumentKeys } from "./document-keys.tsx";
import { useNextSession } from "./form-keys.ts";
import { type VerdictProps, Verdicts } from "./verdict-bar.tsx";

interface ActionBarProps {
  form: AnswerForm;
  state: FormState;
  /** Why what was just decided was not sent. */
  refusal: string | undefined;
  onCancel(): void;
  /** For a single action that is decided here, instead of being sent. */
  decision?: Pick<DecisionBarProps, "session" | "question" | "changed" | "decide"> | undefined;
  /** For a document, whose verdict is given here. */
  verdict?: Omit<VerdictProps, "disabled"> | undefined;
}

/** Always visible, at the bottom of the form. */
export function ActionBar({ form, state, refusal, onCancel, decision, verdict }: ActionBarProps) {
  const t = useTranslate();
  const { phase, mode, layout, step, steps, progress, unsaved, failure, session, awaitsFiles } = state;
  if (phase === "settled") return <NextSession openId={session.id} />;
  if (phase === "scheduled") return <Undo form={form} state={state} />;
  const isLast = layout === "page" || step === steps - 1;
  const isSending = phase === "sending" || awaitsFiles;
  const saved = isSending
    ? t("action.sending")
    : unsaved
      ? t("session.unsaved")
      : mode === "answer" && progress.answered > 0
        ? t("session.saved")
        : "";
  const primary = !isLast ? (step === steps - 2 ? "action.review" : "action.next") : mode === "reply" ? "action.reply" : "action.send";
  return (
    <div className="actions">
      <DocumentKeys />
      {refusal !== undefined && (
        <p className="error actions-error" role="alert">
          {refusal}
        </p>
      )}
      {failure !== undefined && (
        <p className="error actions-error" role="alert">
          {failure.code === "HUB_UNREACHABLE" ? t("error.unreachable") : t("error.submit", { message: failure.message })}
        </p>
      )}
      {decision !== undefined ? (
        <DecisionBar {...decision} disabled={isSending} onReason={onCancel} />
      ) : (
        <div className="actions-row">
          {mode === "answer" && (
            <button type="button" className="button quiet-button" onClick={onCancel} disabled={isSending}>
              {t("action.cancel")}
              <KeyHint action="cancel" />
            </button>
          )}
          {/* The key makes it another text instead of one that moves. */}
          <span key={saved} className="actions-saved quiet">
            {saved}
          </span>
          {layout === "steps" && step > 0 && (
            <button type="button" className="button" onClick={() => form.back()}>
              {t("action.back")}
              <KeyHint action="previous" />
            </button>
          )}
          {verdict === undefined ? (
            <button type="submit" className="button primary" disabled={isSending} data-testid="primary">
              {t(primary)}
              <KeyHint action="confirm" />
            </button>
          ) : (
            <Verdicts {...verdict} disabled={isSending} />
          )}
        </div>
      )}
    </div>
  );
}

/** An answer or a decline that the hub is still holding. */
function Undo({ form, state }: { form: AnswerForm; state: FormState }) {
  const t = useTranslate();
  const now = useNow(250);
  const { scheduled } = state;
  if (scheduled === undefined) return null;
  const time = sayDuration(t, Math.max(0, scheduled.sendAt - now) + 999);
  const key = scheduled.declines ? "action.scheduled.decline" : "action.scheduled";
  const isWeb = scheduled.by.surface === "web";
  return (
    <div className="actions">
      <div className="actions-row">
        <span className="actions-note" role="status">
          {isWeb ? t(key, { time }) : t(`${key}.other`, { who: sayActor(t, scheduled.by), time })}
        </span>
        <button type="button" className="button" onClick={() => void form.recall()} data-testid="undo">
          {t("action.undo")}
          <KeyHint action="undo" />
        </button>
        <NextLink openId={state.session.id} />
      </div>
    </div>
  );
}

function NextSession({ openId }: { openId: string }) {
  return (
    <div className="actions">
      <div className="actions-row">
        <span className="actions-saved" />
        <NextLink openId={openId} />
      </div>
    </div>
  );
}

/** Goes to the first session in the list, or to the list if there is none. */
function NextLink({ openId }: { openId: string }) {
  const t = useTranslate();
  const next = useNextSession(openId);
  return (
    <Link href={next === undefined ? "/" : sessionPath(next)} className="button primary" data-testid="next-session">
      {next === undefined ? t("session.back") : t("action.nextSession")}
      <KeyHint action="confirm" />
    </Link>
  );
}
