import type { QuestionOf } from "@askbox/core";
import { grantTimes } from "@askbox/react/triage";
import { useId, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { KeyHint } from "../ui/key-hint.tsx";

export interface DecisionBarProps {
  question: QuestionOf<"approval">;
  /** The changed arguments; undefined if they are invalid. */
  changed: { input?: Record<string, unknown> } | undefined;
  disabled: boolean;
  /** Sends a decision: `allow`, `deny`, or a grant's value with its time. */
  decide(value: string): void;
  /** Asks for a reason, and then denies. */
  onReason(): void;
}

/** Denies or allows an action. A plan is approved, or sent back with words. */
export function DecisionBar({ question, changed, disabled, decide, onReason }: DecisionBarProps) {
  const t = useTranslate();
  const { action, grants = [] } = question;
  const isPlan = action.kind === "plan";
  const isEdited = changed?.input !== undefined;
  return (
    <div className="actions-row decision">
      {!isPlan && (
        <button type="button" className="button danger" disabled={disabled} onClick={() => decide("deny")}>
          {t("approval.deny")}
          <KeyHint action="no" />
        </button>
      )}
      <button type="button" className={isPlan ? "button" : "button quiet-button deny-reason"} disabled={disabled} onClick={onReason}>
        {t(isPlan ? "plan.keep" : "deny.reason")}
        <KeyHint action="cancel" />
      </button>
      <span className="actions-saved" />
      {grants.length > 0 && <GrantMenu grants={grants} disabled={disabled || isEdited} onAllow={decide} />}
      <button type="button" className="button primary" disabled={disabled} onClick={() => decide("allow")} data-testid="primary">
        {t(isPlan ? "plan.approve" : isEdited ? "approval.allow.changed" : "approval.allow")}
        <KeyHint action="allow" />
      </button>
    </div>
  );
}

interface GrantMenuProps {
  grants: NonNullable<QuestionOf<"approval">["grants"]>;
  disabled: boolean;
  onAllow(value: string): void;
}

/** Allows it from now on, for a scope and a time. */
function GrantMenu({ grants, disabled, onAllow }: GrantMenuProps) {
  const t = useTranslate();
  const [id, name] = [useId(), useId()];
  const [scope, setScope] = useState(grants[0]?.value ?? "");
  const [time, setTime] = useState<string>(grantTimes[0]);
  return (
    <>
      <button type="button" className="button approval-always" popoverTarget={id} disabled={disabled}>
        {t("approval.always")} ▾
      </button>
      <div id={id} popover="auto" className="grant-menu">
        {grants.map(({ value }) => (
          <label key={value}>
            <input type="radio" name={name} checked={value === scope} onChange={() => setScope(value)} />
            {t(`approval.${value as "session" | "project"}`)}
          </label>
        ))}
        <label className="approval-time">
          {t("approval.for")}{" "}
          <select value={time} onChange={({ target }) => setTime(target.value)}>
            {grantTimes.map((each) => (
              <option key={each} value={each}>
                {t(`approval.time.${each}`)}
              </option>
            ))}
          </select>
        </label>
        <p className="quiet">{t("approval.exactly")}</p>
        <button
          type="button"
          className="button primary"
          popoverTarget={id}
          popoverTargetAction="hide"
          onClick={() => onAllow(`${scope}:${time}`)}
        >
          {t("approval.allow.always")}
        </button>
      </div>
    </>
  );
}
