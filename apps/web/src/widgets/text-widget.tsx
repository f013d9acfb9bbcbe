/** Widgets in which a person types: a text, and a line such as a number or an address. */
import type { QuestionOf } from "@askbox/core";
import { answerProblem, traitsOf } from "@askbox/core/questions";
import { terminalLine } from "@askbox/terminal-text";
import type { InputHTMLAttributes } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { QuickReplies } from "../session/quick-replies.tsx";
import { AgentText } from "../ui/agent-text.tsx";
import { TextArea } from "./text-area.tsx";
import { describedBy, onEnter, type WidgetProps } from "./widget.ts";

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

/**
 * A single-line value: a number, or a text with a format. Native number, email and URL fields aren't used: they hide invalid
 * input from the page, round, follow the locale, and change the value on scrolling.
 */
export function LineWidget({ question, field, form, error, labelId, errorId, hintId }: WidgetProps<QuestionOf<"number" | "text">>) {
  const t = useTranslate();
  return (
    <>
      <div className="line-field">
        <LineInput
          className={traitsOf(question).formField?.type === "string" ? "" : "short"}
          inputMode={keyboardOf(question)}
          value={field.values[0] ?? ""}
          onChange={(event) => form.setText(question.id, event.target.value)}
          onBlur={() => form.focus(undefined)}
          placeholder={terminalLine(question.placeholder ?? t("question.text.hint"))}
          aria-labelledby={labelId}
          aria-describedby={describedBy(hintId, error && errorId)}
          aria-invalid={error !== undefined}
          aria-required={question.required}
          onKeyDown={onEnter}
          data-first
        />
        {"unit" in question && question.unit !== undefined && <AgentText className="unit">{question.unit}</AgentText>}
      </div>
      <QuickReplies
        project={form.getState().session.asker.project}
        kind="texts"
        text=""
        fits={(phrase) =>
          phrase !== field.values[0] && answerProblem(question, { questionId: question.id, values: [phrase] }) === undefined
        }
        onWrite={(words) => form.setText(question.id, words)}
      />
    </>
  );
}

/** The on-screen keyboard: the decimal one lacks a minus on some phones, so it is only used for non-negative numbers. */
function keyboardOf(question: QuestionOf<"number" | "text">): "decimal" | "numeric" | "email" | "url" | "text" {
  const { formField } = traitsOf(question);
  if (formField?.type === "string") return formField.format === "email" ? "email" : formField.format === "uri" ? "url" : "text";
  if (formField?.minimum === undefined || formField.minimum < 0) return "text";
  return formField.type === "integer" ? "numeric" : "decimal";
}

/** A single-line text field without corrections by the browser. */
export function LineInput({ className = "", ...rest }: InputHTMLAttributes<HTMLInputElement>) {
  return (
    <input
      type="text"
      className={`text line ${className}`}
      dir="auto"
      autoComplete="off"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...rest}
    />
  );
}
