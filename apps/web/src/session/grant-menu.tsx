import type { Action, QuestionOf, SessionView } from "@askbox/core";
import { lastApprovals, type PastApproval, prefixRisk, wouldHaveAllowed } from "@askbox/core/grants";
import { actionLine, type GrantScope } from "@askbox/core/questions";
import { grantTimes } from "@askbox/inbox/list";
import { useAskbox } from "@askbox/react";
import { exactText } from "@askbox/terminal-text";
import { useEffect, useId, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";

/** How many past approvals are listed by their first line. */
const maxListed = 5;

interface GrantMenuProps {
  session: SessionView;
  question: QuestionOf<"approval">;
  onAllow(value: string): void;
}

/** Allows an action from now on: what, where and how long, as one sentence, with what it would have allowed before. */
export function GrantMenu({ session, question, onAllow }: GrantMenuProps) {
  const t = useTranslate();
  const { desk } = useAskbox();
  const [riskId, errorId] = [useId(), useId()];
  const { action, grants = [] } = question;
  const { command = "" } = action;
  const [scope, setScope] = useState(grants[0]?.value as GrantScope);
  const [time, setTime] = useState<string>(grantTimes[0]);
  const [byWords, setByWords] = useState(false);
  const [words, setWords] = useState(command);
  const [isMeant, setMeant] = useState(false);
  const [past, setPast] = useState<readonly PastApproval[]>();
  useEffect(() => {
    let isWanted = true;
    // Without them, everything else can still be decided.
    lastApprovals(desk, session.asker).then(
      (read) => isWanted && setPast(read),
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [session.id]);

  const own: PastApproval = { asker: session.asker, action };
  const prefix = byWords ? words.trim() : undefined;
  const allowsThis = (first: string) => wouldHaveAllowed([own], own, { scope, prefix: first }).length > 0;
  const isValid = prefix === undefined || allowsThis(prefix);
  const risk = prefix === undefined || !isValid ? undefined : prefixRisk(prefix);
  const allowed = past && isValid ? wouldHaveAllowed(past, own, { scope, prefix }) : [];
  return (
    <>
      <p className="grant-sentence">
        <span>{t("grant.allow")}</span>
        {allowsThis(command) ? (
          <select
            aria-label={t("grant.what")}
            value={byWords ? "words" : "exact"}
            onChange={({ target }) => setByWords(target.value === "words")}
          >
            <option value="exact">{t("grant.exact")}</option>
            <option value="words">{t("grant.words")}</option>
          </select>
        ) : (
          <span>{t("grant.exact")}</span>
        )}
        {byWords && (
          <input
            className="line exact"
            dir="ltr"
            aria-label={t("grant.words.label")}
            aria-invalid={!isValid}
            aria-describedby={isValid ? undefined : errorId}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            value={words}
            onKeyDown={(event) => {
              // Only the button allows.
              if (event.key !== "Enter") return;
              event.preventDefault();
              event.stopPropagation();
            }}
            onChange={({ target }) => {
              setWords(target.value);
              setMeant(false);
            }}
          />
        )}
        <select aria-label={t("grant.where")} value={scope} onChange={({ target }) => setScope(target.value as GrantScope)}>
          {grants.map(({ value }) => (
            <option key={value} value={value}>
              {t(`grant.in.${value as GrantScope}`)}
            </option>
          ))}
        </select>
        <label className="approval-time">
          {t("approval.for")}
          <select value={time} onChange={({ target }) => setTime(target.value)}>
            {grantTimes.map((each) => (
              <option key={each} value={each}>
                {t(`approval.time.${each}`)}
              </option>
            ))}
          </select>
        </label>
      </p>
      {!isValid && (
        <p className="error" id={errorId} role="alert">
          {t("grant.words.wrong")}
        </p>
      )}
      {risk !== undefined && (
        <label className="grant-risk" htmlFor={riskId}>
          <input id={riskId} type="checkbox" checked={isMeant} onChange={({ target }) => setMeant(target.checked)} />
          <span>{t(`grant.risk.${risk.risk}`, { program: exactText(risk.program) })}</span>
        </label>
      )}
      {past !== undefined && isValid && (
        <div className="grant-past" role="status" data-testid="grant-past">
          <p>{past.length === 0 ? t("grant.past.none") : t("grant.past", { count: allowed.length, total: past.length })}</p>
          {allowed.length > 0 && (
            <ul>
              {[...new Set(allowed.map(lineOf))].slice(0, maxListed).map((line) => (
                <li key={line} className="exact" dir="ltr">
                  {line}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
      <p className="quiet">{t("grant.revoke")}</p>
      <button
        type="button"
        className="button primary"
        disabled={!isValid || (risk !== undefined && !isMeant)}
        onClick={() => onAllow(`${scope}:${time}${prefix === undefined ? "" : `:${prefix}`}`)}
      >
        {t("approval.allow.always")}
      </button>
    </>
  );
}

const lineOf = (action: Action): string => exactText(actionLine([{ action }]) ?? "");
