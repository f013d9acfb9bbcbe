import type { QuestionOf } from "@askbox/core";
import { offeredOptions } from "@askbox/core/questions";
import { useId } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { AgentText } from "../ui/agent-text.tsx";
import { OptionGroup } from "./option.tsx";
import { describedBy, type WidgetProps } from "./widget.ts";

/** A scale with a radio for each step, whose digit is its shortcut; rows wrap on a narrow screen. */
export function RatingWidget({ question, field, form, error, labelId, errorId, hintId }: WidgetProps<QuestionOf<"rating">>) {
  const t = useTranslate();
  const name = useId();
  return (
    <OptionGroup
      kind="radio"
      className="rating"
      labelId={labelId}
      describedBy={describedBy(hintId, error && errorId)}
      required={question.required}
      invalid={error !== undefined}
    >
      {offeredOptions(question).map(({ value, description, recommended }, index) => (
        <div key={value} className="option" data-checked={field.values.includes(value) || undefined}>
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
            {recommended === true && (
              <span className="recommended" title={t("question.recommended")}>
                <span aria-hidden="true">★</span>
                <span className="visually-hidden">{t("question.recommended")}</span>
              </span>
            )}
          </label>
        </div>
      ))}
    </OptionGroup>
  );
}
