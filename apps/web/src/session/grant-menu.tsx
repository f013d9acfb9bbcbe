import type { Action, QuestionOf, SessionView } from "@askbox/core";
import { lastApprovals, type PastApproval, prefixRisk, wouldHaveAllowed } from "@askbox/core/grants";
import { actionLine, type GrantScope } from "@askbox/core/questions";
import { grantTimes } from "@askbox/inbox/list";
import { useAskbox } from "@askbox/react";
import { exactText } from "@askbox/terminal-text";
import { useEffect, useId, useRef, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { Key } from "../ui/key-hint.tsx";
import { isComposing } from "../ui/keyboard.ts";

/** How many past approvals are listed by their first line. */
const maxListed = 5;

interface GrantMenuProps {
  session: SessionView;
  question: QuestionOf<"approval">;
  onAllow(value: string): void;
}

/** What allows an action from now on: a grant of askbox, and what the agent itself offers to remember, apart from it. */
export function GrantMenu(props: GrantMenuProps) {
  const { grants, agentOptions } = props.question;
  return (
    <>
      {grants && <GrantFields {...props} />}
      {agentOptions && <AgentOptions options={agentOptions} onAllow={props.onAllow} />}
    </>
  );
}

/** What, where and how long, as one sentence, with what it would have allowed before. */
function GrantFields({ session, question, onAllow }: GrantMenuProps) {
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
  const mayAllow = isValid && (risk === undefined || isMeant);
  const allow = () => onAllow(`${scope}:${time}${prefix === undefined ? "" : `:${prefix}`}`);
  // The arrow keys change it at once.
  const first = useRef<HTMLFieldSetElement>(null);
  useEffect(() => first.current?.querySelector("select")?.focus(), []);
  return (
    <fieldset
      ref={first}
      className="grant-fields"
      // Enter allows from any field, with what is chosen there; first it goes to the risk that is still to be confirmed.
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.target instanceof HTMLButtonElement || isComposing(event)) return;
        event.preventDefault();
        event.stopPropagation();
        if (event.repeat) return;
        if (mayAllow) allow();
        else event.currentTarget.querySelector<HTMLElement>("[type=checkbox], [aria-invalid=true]")?.focus();
      }}
    >
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
            type="text"
            className="text exact grant-words"
            dir="ltr"
            aria-label={t("grant.words.label")}
            aria-invalid={!isValid}
            aria-describedby={isValid ? undefined : errorId}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            value={words}
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
      <button type="button" className="button primary" disabled={!mayAllow} onClick={allow}>
        {t("approval.allow.always", { time: t(`approval.time.${time as (typeof grantTimes)[number]}`) })}
        <Key name="enter" />
      </button>
    </fieldset>
  );
}

interface AgentOptionsProps {
  options: readonly { value: string; label: string }[];
  onAllow(value: string): void;
}

/** What the agent itself offers to remember: its words, marked as such, each to be chosen by itself. */
function AgentOptions({ options, onAllow }: AgentOptionsProps) {
  const t = useTranslate();
  const labelId = useId();
  // Where there is no sentence to change, Tab goes on from here: Enter alone must not choose what lasts.
  const group = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    if (group.current?.previousElementSibling === null) group.current.focus();
  }, []);
  return (
    <fieldset ref={group} className="grant-fields grant-agents" aria-labelledby={labelId} tabIndex={-1}>
      <p id={labelId}>{t("grant.agents")}</p>
      {options.map(({ value, label }) => (
        <button key={value} type="button" className="button" onClick={() => onAllow(value)}>
          <bdi>{exactText(label)}</bdi>
        </button>
      ))}
    </fieldset>
  );
}

const lineOf = (action: Action): string => exactText(actionLine([{ action }]) ?? "");
