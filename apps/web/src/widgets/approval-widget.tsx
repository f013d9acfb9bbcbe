/**
 * An action, and whether it is allowed. It can be allowed only once all of it was seen (`LookContext`), and exactly as it is shown: arguments
 * that a person changes are shown, too. Equal actions of other questions can be decided with it.
 */
import { type QuestionOf, type SessionView, toAskboxError } from "@askbox/core";
import { changedInput, type OfferedOption, offeredOptions } from "@askbox/core/questions";
import { equalApprovals, grantTimes } from "@askbox/inbox/list";
import { useAskbox, useInbox } from "@askbox/react";
import { createContext, useContext, useId, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { agentsOwn } from "../i18n/say-answer.ts";
import { QuickReplies } from "../session/quick-replies.tsx";
import { Key } from "../ui/key-hint.tsx";
import { keymap } from "../ui/keyboard.ts";
import { ActionView } from "./action-view.tsx";
import { OptionGroup } from "./option.tsx";
import { TextArea } from "./text-area.tsx";
import { LookContext } from "./use-look.ts";
import { describedBy, type WidgetProps } from "./widget.ts";

/** Whether the buttons below the form decide, so that the widget only shows the action. */
export const DecidedBelow = createContext(false);

/** A decision on an action, which is shown in full. Nothing is preselected, and no digit decides. */
export function ApprovalWidget({ question, field, form, error, labelId, errorId }: WidgetProps<QuestionOf<"approval">>) {
  const t = useTranslate();
  const name = useId();
  const reasonId = useId();
  const { session } = form.getState();
  const [chosen = ""] = field.values;
  const [scope, time = grantTimes[0]] = chosen.split(":");
  const isGrant = question.grants?.some(({ value }) => value === scope) === true;
  const picked = isGrant ? scope : chosen;
  const keyOf = ({ shortcut }: OfferedOption) => (shortcut === undefined ? undefined : keymap.keysOf(shortcut)[0]);
  const action = (
    <ActionView
      id={question.id}
      action={question.action}
      denial={question.denial}
      asker={session.asker}
      comments={field.comments}
      onComments={(comments) => form.edit(question.id, { kind: "comments", comments })}
    />
  );
  const edited = question.editable === true && <EditedInput question={question} field={field} form={form} />;
  if (useContext(DecidedBelow))
    return (
      <div className="approval">
        {action}
        {edited}
        {question.denial !== undefined && <p className="quiet">{t("denial.note")}</p>}
        <EqualApprovals session={session} question={question} />
      </div>
    );
  return (
    <div className="approval">
      {action}
      {edited}
      <OptionGroup
        kind="radio"
        className="confirm"
        labelId={labelId}
        describedBy={describedBy(error && errorId)}
        required
        invalid={error !== undefined}
      >
        {offeredOptions(question).map((option, index) => (
          <div
            key={option.value}
            className="option"
            data-own={agentsOwn(t, question, option.value) && ""}
            data-checked={option.value === picked || undefined}
          >
            <label>
              <input
                type="radio"
                name={name}
                checked={option.value === picked}
                onChange={() => form.choose(question.id, option.value)}
                data-first={index === 0 || undefined}
              />
              <span className="option-text">
                <bdi className="option-label">
                  {agentsOwn(t, question, option.value) ?? t(`approval.${option.value as "allow" | "deny" | "session" | "project"}`)}
                </bdi>
              </span>
              <Key name={keyOf(option) ?? ""} />
            </label>
          </div>
        ))}
      </OptionGroup>
      {isGrant && (
        <label className="approval-time">
          {t("approval.for")}{" "}
          <select value={time} onChange={(event) => form.choose(question.id, `${scope}:${event.target.value}`)}>
            {grantTimes.map((duration) => (
              <option key={duration} value={duration}>
                {t(`approval.time.${duration}`)}
              </option>
            ))}
          </select>
        </label>
      )}
      {isGrant && <p className="quiet">{t("approval.exactly")}</p>}
      {chosen === "deny" && (
        <div className="extra">
          <label htmlFor={reasonId}>{t("approval.reason")}</label>
          <TextArea
            id={reasonId}
            rows={2}
            value={field.otherText}
            onChange={(event) => form.setOtherText(question.id, event.target.value)}
          />
          <QuickReplies
            project={session.asker.project}
            kind="reasons"
            text={field.otherText}
            onWrite={(words) => form.setOtherText(question.id, words)}
          />
        </div>
      )}
      <EqualApprovals session={session} question={question} />
    </div>
  );
}

/** Decides several approvals of the same action at once: only those that somebody has opened. */
function EqualApprovals({ session, question }: { session: SessionView; question: QuestionOf<"approval"> }) {
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

/** Scrolls what has just opened into view, above the buttons; of what is higher than the pane, its beginning. */
function showAbove(element: HTMLElement | null): void {
  const room = element?.closest(".detail")?.clientHeight ?? 0;
  element?.scrollIntoView({ block: element.offsetHeight > 0.8 * room ? "start" : "nearest" });
}

/** Edits the arguments of an action before it is allowed, as JSON. */
function EditedInput({ question, field, form }: Pick<WidgetProps<QuestionOf<"approval">>, "question" | "field" | "form">) {
  const t = useTranslate();
  const id = useId();
  const [isOpenedHere, setOpenedHere] = useState(false);
  const { input } = field;
  const edit = (text: string | undefined) => {
    setOpenedHere(true);
    form.edit(question.id, { kind: "input", input: text });
  };
  if (input === undefined)
    return (
      <p>
        <button type="button" className="link-button tool" onClick={() => edit(JSON.stringify(question.action.input ?? {}, undefined, 2))}>
          {t("approval.edit")}
        </button>
      </p>
    );
  const isValid = changedInput(question, field) !== undefined;
  return (
    <div ref={isOpenedHere ? showAbove : undefined} className="extra edited-input">
      <label htmlFor={id}>{t("approval.edited")}</label>
      <TextArea
        id={id}
        className="exact"
        data-arguments
        value={input}
        onChange={({ target }) => edit(target.value)}
        aria-invalid={!isValid}
        aria-describedby={`${id}-error`}
        spellCheck={false}
        dir="ltr"
        autoFocus={isOpenedHere}
      />
      <p id={`${id}-error`} className="error" role="alert">
        {!isValid && t("approval.input")}
      </p>
      <p>
        <button type="button" className="link-button" onClick={() => edit(undefined)}>
          {t("approval.unedit")}
        </button>
      </p>
    </div>
  );
}
