import type { QuestionOf } from "@askbox/core";
import { useId } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { OptionGroup, OptionRow } from "./option.tsx";
import type { WidgetProps } from "./widget.ts";

/** In the order of their digits. */
const confirmValues = ["yes", "no"] as const;

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
      {confirmValues.map((value, index) => (
        <OptionRow
          key={value}
          kind="radio"
          name={name}
          index={index}
          checked={field.values.includes(value)}
          onChoose={() => form.choose(question.id, value)}
        >
          <span className="option-label">
            {t(`question.${value}`)}
            {question.suggestion === value && <span className="recommended">{t("question.recommended")}</span>}
          </span>
        </OptionRow>
      ))}
    </OptionGroup>
  );
}
