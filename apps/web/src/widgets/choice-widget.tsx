/** Widgets with options to pick: a choice of one or several, yes or no, and a scale. */
import type { QuestionOf } from "@askbox/core";
import { offeredOptions, traitsOf } from "@askbox/core/questions";
import { terminalLine } from "@askbox/terminal-text";
import { useId } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { QuickReplies } from "../session/quick-replies.tsx";
import { AgentText } from "../ui/agent-text.tsx";
import { keymap } from "../ui/keyboard.ts";
import { AgentOption, OptionGroup, OptionRow, WithPreviews } from "./option.tsx";
import { TextArea } from "./text-area.tsx";
import { describedBy, onEnter, type WidgetProps } from "./widget.ts";

/** One or several options, and Other. */
export function ChoiceWidget({
  question,
  field,
  form,
  error,
  labelId,
  errorId,
  hintId,
}: WidgetProps<QuestionOf<"select" | "multi-select">>) {
  const t = useTranslate();
  const name = useId();
  const kind = traitsOf(question).picks === "one" ? "radio" : "checkbox";
  const group = (
    <OptionGroup
      kind={kind}
      labelId={labelId}
      describedBy={describedBy(hintId, error && errorId)}
      required={question.required}
      invalid={error !== undefined}
    >
      {question.options.map((option, index) => (
        <AgentOption
          key={option.value}
          kind={kind}
          name={name}
          index={index}
          option={option}
          checked={field.values.includes(option.value)}
          onChoose={() => form.choose(question.id, option.value)}
        />
      ))}
      {question.allowOther && (
        <OptionRow
          kind={kind}
          name={name}
          index={question.options.length}
          checked={field.other}
          onChoose={() => form.setOther(question.id, kind === "radio" || !field.other)}
          below={
            field.other && (
              <>
                <TextArea
                  className="other"
                  rows={1}
                  value={field.otherText}
                  onChange={(event) => form.setOtherText(question.id, event.target.value)}
                  onKeyDown={onEnter}
                  aria-required
                  data-enter
                  placeholder={terminalLine(question.placeholder ?? t("question.other.hint"))}
                  aria-label={t("question.other.label")}
                  aria-invalid={error !== undefined}
                  autoFocus={field.otherText === ""}
                />
                <QuickReplies
                  project={form.getState().session.asker.project}
                  kind="texts"
                  text={field.otherText}
                  onWrite={(words) => form.setOtherText(question.id, words)}
                />
              </>
            )
          }
        >
          <span className="option-label">{t("question.other")}</span>
        </OptionRow>
      )}
    </OptionGroup>
  );
  return (
    <WithPreviews options={question.options} chosen={field.values.at(-1)}>
      {group}
    </WithPreviews>
  );
}

export function ConfirmWidget({ question, field, form, error, labelId, errorId }: WidgetProps<QuestionOf<"confirm">>) {
  const t = useTranslate();
  const name = useId();
  return (
    <OptionGroup
      kind="radio"
      className="confirm"
      labelId={labelId}
      describedBy={error === undefined ? undefined : errorId}
      required={question.required}
      invalid={error !== undefined}
    >
      {offeredOptions(question).map(({ value, shortcut = "no", recommended }, index) => (
        <OptionRow
          key={value}
          kind="radio"
          name={name}
          index={index}
          checked={field.values.includes(value)}
          onChoose={() => form.choose(question.id, value)}
          hint={keymap.keysOf(shortcut)[0]}
        >
          <span className="option-label">
            {t(value === "yes" ? "question.yes" : "question.no")}
            {recommended === true && <span className="recommended">{t("question.recommended")}</span>}
          </span>
        </OptionRow>
      ))}
    </OptionGroup>
  );
}

/** A scale of segments, each with its digit as its shortcut, and below it what its ends mean. */
export function RatingWidget({ question, field, form, error, labelId, errorId, hintId }: WidgetProps<QuestionOf<"rating">>) {
  const t = useTranslate();
  const name = useId();
  const steps = offeredOptions(question);
  const suggested = steps.find(({ recommended }) => recommended === true)?.value;
  return (
    <div className="rating">
      <OptionGroup
        kind="radio"
        className="scale"
        labelId={labelId}
        describedBy={describedBy(hintId, error && errorId)}
        required={question.required}
        invalid={error !== undefined}
      >
        {steps.map(({ value, description }, index) => (
          <div
            key={value}
            className="option"
            data-checked={field.values.includes(value) || undefined}
            data-suggested={value === suggested || undefined}
          >
            <label>
              <input
                type="radio"
                name={name}
                checked={field.values.includes(value)}
                onChange={() => form.choose(question.id, value)}
                data-first={index === 0 || undefined}
              />
              <span className="option-label">{value}</span>
              {description !== undefined && <AgentText className="visually-hidden">{description}</AgentText>}
              {value === suggested && <span className="visually-hidden">{t("question.recommended")}</span>}
            </label>
          </div>
        ))}
      </OptionGroup>
      <ScaleEnds question={question} />
    </div>
  );
}

export function ScaleEnds({ question }: { question: QuestionOf<"rating"> }) {
  return (
    <p className="scale-ends" aria-hidden="true">
      <AgentText>{question.minLabel ?? ""}</AgentText>
      <AgentText>{question.maxLabel ?? ""}</AgentText>
    </p>
  );
}
