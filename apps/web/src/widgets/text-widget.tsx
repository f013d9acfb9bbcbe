/** Widgets in which a person types: a text, a line such as a number or an address, and a date, which arrow keys change, too. */
import type { QuestionOf } from "@askbox/core";
import { answerProblem, moveDate, traitsOf } from "@askbox/core/questions";
import { dateToStepFrom } from "@askbox/inbox";
import { useAskbox } from "@askbox/react";
import { terminalLine } from "@askbox/terminal-text";
import { type InputHTMLAttributes, type KeyboardEvent, useRef } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { QuickReplies } from "../session/quick-replies.tsx";
import { AgentText } from "../ui/agent-text.tsx";
import { Icon } from "../ui/icons.tsx";
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
function LineInput({ className = "", ...rest }: InputHTMLAttributes<HTMLInputElement>) {
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

// keys: keys of a keyboard.
const steps: Readonly<Record<string, { days?: number; months?: number }>> = {
  ArrowUp: { days: 1 },
  ArrowDown: { days: -1 },
  PageUp: { months: 1 },
  PageDown: { months: -1 },
};

/**
 * A date, entered as the text that is sent: the browser's own date field would use the locale's format, and hide input that was only
 * half typed elsewhere. Its calendar opens with a button; the arrow keys step by days, Page up and Page down by months.
 */
export function DateWidget({ question, field, form, error, labelId, errorId, hintId }: WidgetProps<QuestionOf<"date">>) {
  const t = useTranslate();
  const { clock } = useAskbox();
  const calendar = useRef<HTMLInputElement>(null);
  const written = field.values[0] ?? "";
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    onEnter(event);
    const by = steps[event.key];
    if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const from = dateToStepFrom(question, written, localDay(clock.now()));
    if (from === undefined) return;
    event.preventDefault();
    form.setText(question.id, from.isStart ? from.date : moveDate(from.date, by));
  };
  return (
    <div className="line-field">
      <LineInput
        className="short"
        inputMode="text"
        value={written}
        onChange={(event) => form.setText(question.id, event.target.value)}
        onBlur={() => form.focus(undefined)}
        onKeyDown={onKeyDown}
        placeholder="YYYY-MM-DD"
        maxLength={100}
        aria-labelledby={labelId}
        aria-describedby={describedBy(hintId, error && errorId)}
        aria-invalid={error !== undefined}
        aria-required={question.required}
        data-first
      />
      <span className="calendar">
        <button
          type="button"
          className="icon-button"
          aria-label={t("question.calendar")}
          onClick={() => openCalendar(calendar.current, written)}
        >
          <Icon name="calendar" />
        </button>
        <input
          ref={calendar}
          type="date"
          min={question.min}
          max={question.max}
          tabIndex={-1}
          aria-hidden="true"
          onChange={(event) => event.target.value !== "" && form.setText(question.id, event.target.value)}
        />
      </span>
    </div>
  );
}

/** The browser's calendar, open at the entered date; browsers without one only have the text. */
function openCalendar(input: HTMLInputElement | null, written: string): void {
  if (input === null) return;
  input.value = /^\d{4}-\d{2}-\d{2}$/.test(written) ? written : "";
  try {
    input.showPicker();
  } catch {
    input.focus();
  }
}

function localDay(at: number): string {
  const now = new Date(at);
  return [
    String(now.getFullYear()).padStart(4, "0"),
    String(now.getMonth() + 1).padStart(2, "0"),
    String(now.getDate()).padStart(2, "0"),
  ].join("-");
}
