import type { QuestionOf } from "@askbox/core";
import { offeredOptions } from "@askbox/core/questions";
import { useContext, useId } from "react";
import { sayOwnOption } from "../i18n/first-phrases.ts";
import { useTranslate } from "../i18n/language.tsx";
import { DecidedBelow } from "./approval-widget.tsx";
import { DocumentView } from "./document-view.tsx";
import { OptionGroup, OptionRow } from "./option.tsx";
import { describedBy, type WidgetProps } from "./widget.ts";

/** A document with comments on its lines, and the verdict on it unless the bar at the bottom takes that. */
export function DocumentWidget({ question, field, form, error, labelId, errorId, hintId }: WidgetProps<QuestionOf<"review">>) {
  const t = useTranslate();
  const name = useId();
  const shown = (
    <DocumentView
      text={question.document}
      folds
      comments={field.comments}
      onComments={(comments) => form.edit(question.id, { kind: "comments", comments })}
    />
  );
  if (useContext(DecidedBelow)) return shown;
  return (
    <>
      {shown}
      <OptionGroup
        kind="radio"
        labelId={labelId}
        describedBy={describedBy(hintId, error && errorId)}
        required={question.required}
        invalid={error !== undefined}
      >
        {offeredOptions(question).map(({ value }, index) => (
          <OptionRow
            key={value}
            kind="radio"
            name={name}
            index={index}
            checked={field.values.includes(value)}
            onChoose={() => form.choose(question.id, value)}
          >
            <span className="option-label">{sayOwnOption(t, question, value)}</span>
          </OptionRow>
        ))}
      </OptionGroup>
    </>
  );
}
