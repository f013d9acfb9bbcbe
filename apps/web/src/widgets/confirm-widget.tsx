import type { QuestionOf } from "@askbox/core";
import { offeredOptions } from "@askbox/core/questions";
import { useId } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { keymap } from "../ui/use-key.ts";
import { OptionGroup, OptionRow } from "./option.tsx";
import type { WidgetProps } from "./widget.ts";

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
