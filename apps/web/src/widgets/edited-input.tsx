import type { QuestionOf } from "@askbox/core";
import { changedInput } from "@askbox/core/questions";
import { useId, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { TextArea } from "./text-area.tsx";
import type { WidgetProps } from "./widget.ts";

/** Edits the arguments of an action before it is allowed, as JSON. */
export function EditedInput({ question, field, form }: Pick<WidgetProps<QuestionOf<"approval">>, "question" | "field" | "form">) {
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
        <button type="button" className="button small" onClick={() => edit(JSON.stringify(question.action.input ?? {}, undefined, 2))}>
          {t("approval.edit")}
        </button>
      </p>
    );
  const isValid = changedInput(question, field) !== undefined;
  return (
    <div className="extra">
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
