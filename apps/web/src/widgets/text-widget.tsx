import type { QuestionOf } from "@askbox/core";
import { terminalLine } from "@askbox/terminal-text";
import { useTranslate } from "../i18n/language.tsx";
import { QuickReplies } from "../session/quick-replies.tsx";
import { onEnter } from "./enter.ts";
import { TextArea } from "./text-area.tsx";
import { describedBy, type WidgetProps } from "./widget.ts";

export function TextWidget({ question, field, form, error, labelId, errorId, hintId }: WidgetProps<QuestionOf<"text">>) {
  const t = useTranslate();
  const [text = ""] = field.values;
  return (
    <>
      <TextArea
        rows={1}
        value={text}
        onChange={(event) => form.setText(question.id, event.target.value)}
        onBlur={() => form.focus(undefined)}
        placeholder={terminalLine(question.placeholder ?? t("question.text.hint"))}
        aria-labelledby={labelId}
        aria-describedby={describedBy(hintId, error && errorId)}
        aria-invalid={error !== undefined}
        aria-required={question.required}
        onKeyDown={onEnter}
        enterKeyHint="enter"
        data-enter
        data-first
      />
      <QuickReplies
        project={form.getState().session.asker.project}
        kind="texts"
        text={text}
        onWrite={(words) => form.setText(question.id, words)}
      />
    </>
  );
}
