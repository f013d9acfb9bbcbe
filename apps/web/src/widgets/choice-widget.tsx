import type { QuestionOf } from "@askbox/core";
import { traitsOf } from "@askbox/core/questions";
import { terminalLine } from "@askbox/terminal-text";
import { useId } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { QuickReplies } from "../session/quick-replies.tsx";
import { onEnter } from "./enter.ts";
import { AgentOption, OptionGroup, OptionRow } from "./option.tsx";
import { WithPreviews } from "./previews.tsx";
import { TextArea } from "./text-area.tsx";
import { describedBy, type WidgetProps } from "./widget.ts";

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
