import type { ConfirmQuestion } from "@askbox/core";
import { useId } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { OptionRow } from "./option.tsx";
import type { WidgetProps } from "./widget.ts";

/** The values of a confirm, in the order of their digits. */
export const confirmValues = ["yes", "no"] as const;

export function ConfirmWidget({ question, field, form, error, labelId, errorId }: WidgetProps<ConfirmQuestion>) {
  const t = useTranslate();
  const name = useId();
  return (
    <div
      className="options confirm"
      role="radiogroup"
      aria-labelledby={labelId}
      aria-describedby={error === undefined ? undefined : errorId}
      aria-required={question.required}
      aria-invalid={error !== undefined}
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
          <span className="option-label">{t(`question.${value}`)}</span>
        </OptionRow>
      ))}
    </div>
  );
}
