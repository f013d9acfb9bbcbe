import type { QuestionOf } from "@askbox/core";
import { type OfferedOption, offeredOptions } from "@askbox/core/questions";
import { grantTimes } from "@askbox/inbox/list";
import { createContext, useContext, useId } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { QuickReplies } from "../session/quick-replies.tsx";
import { Key } from "../ui/key-hint.tsx";
import { keymap } from "../ui/use-key.ts";
import { ActionView } from "./action-view.tsx";
import { EditedInput } from "./edited-input.tsx";
import { EqualApprovals } from "./equal-approvals.tsx";
import { OptionGroup } from "./option.tsx";
import { TextArea } from "./text-area.tsx";
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
  const keyOf = ({ shortcut }: OfferedOption) => (shortcut === undefined ? undefined : keymap.keysOf(shortcut)[0]);
  const action = (
    <ActionView
      id={question.id}
      action={question.action}
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
          <div key={option.value} className="option" data-checked={option.value === scope || undefined}>
            <label>
              <input
                type="radio"
                name={name}
                checked={option.value === scope}
                onChange={() => form.choose(question.id, option.value)}
                data-first={index === 0 || undefined}
              />
              <span className="option-text">
                <span className="option-label">{t(`approval.${option.value as "allow" | "deny" | "session" | "project"}`)}</span>
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
