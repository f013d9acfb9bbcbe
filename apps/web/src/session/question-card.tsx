import type { Question } from "@askbox/core";
import { isTyped, traitsOf } from "@askbox/core/questions";
import { type AnswerForm, emptyField, type FormState, proposedValues, takesFiles } from "@askbox/inbox";
import type { SharedKeyAction } from "@askbox/inbox/commands";
import { useAskbox } from "@askbox/react";
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { isolated, sayProblem } from "../i18n/phrases.ts";
import type { Translate } from "../i18n/translate.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Pictures } from "../pictures/pictures.tsx";
import { AgentText } from "../ui/agent-text.tsx";
import { Key, KeyHint } from "../ui/key-hint.tsx";
import { isComposing, isTouch, keyOf } from "../ui/keyboard.ts";
import { later } from "../ui/later.tsx";
import { RoomContext } from "../widgets/option.tsx";
import { QuestionWidget } from "../widgets/question-widget.tsx";
import { TextArea } from "../widgets/text-area.tsx";
import { sayExpected } from "../widgets/widget.ts";
import { focusStart } from "./focus.ts";
import { finishedOn } from "./next-session.ts";
import { hasSteps } from "./steps.tsx";

const Attachments = later(async () => (await import("../attach/attachments.tsx")).Attachments);

interface QuestionCardProps {
  question: Question;
  number: number;
  form: AnswerForm;
  state: FormState;
  /** What else stands among its tools. */
  tools?: ReactNode;
}

/** One question: its text, its widget, and what belongs to the answer. */
export function QuestionCard({ question, number, form, state, tools }: QuestionCardProps) {
  const t = useTranslate();
  const labelId = useId();
  const errorId = useId();
  const field = state.fields[question.id] ?? emptyField;
  const error = state.errors[question.id];
  const total = state.session.questions.length;
  const expected = sayExpected(t, question);
  const chosen = field.values.length + (field.other ? 1 : 0);
  const max = "maxChoices" in question ? question.maxChoices : undefined;
  const over = max !== undefined && chosen > max ? t("expect.choices.over", { count: chosen, max }) : undefined;
  const hintId = useId();
  const [proposed] = proposedValues(question);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only observes input and focus; from the first letter on, other devices don't change a field.
    <section
      className="question"
      data-question={question.id}
      data-invalid={error !== undefined || undefined}
      onInput={() => form.focus({ questionId: question.id })}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) form.focus(undefined);
      }}
    >
      <p className="question-kicker">
        {question.header !== undefined && !hasSteps(state) && <AgentText className="chip">{question.header}</AgentText>}
        {total > 1 && <span>{t("question.of", { number, total })}</span>}
        {!question.required && <span>{t("question.optional")}</span>}
      </p>
      <div id={labelId} className="question-text" tabIndex={-1}>
        <Markdown text={question.question} />
        {question.required && <span className="visually-hidden">{t("question.required")}</span>}
      </div>
      <Pictures sessionId={state.session.id} question={question} only={question.images ?? []} />
      {field.skipped ? (
        <p className="skipped">
          {t("question.skipped")}
          <button type="button" className="link-button" onClick={() => form.setSkipped(question.id, false)}>
            {t("question.unskip")}
            <KeyHint action="skip" />
          </button>
        </p>
      ) : (
        <>
          {expected !== undefined && (
            <p id={hintId} className="expected" data-over={over !== undefined || undefined}>
              {over ?? expected}
            </p>
          )}
          <RoomContext value={true}>
            <QuestionWidget
              question={question}
              field={field}
              form={form}
              error={error}
              labelId={labelId}
              errorId={errorId}
              hintId={expected === undefined ? undefined : hintId}
            />
          </RoomContext>
        </>
      )}
      <p id={errorId} className="error" role="alert">
        {error !== undefined && sayProblem(t, error)}
      </p>
      <div className="question-tools">
        {proposed !== undefined && !field.skipped && (
          <button type="button" className="link-button tool suggestion" onClick={() => form.pickRecommended(question.id)}>
            {sayUse(t, question, proposed)}
            <KeyHint action="recommended" />
          </button>
        )}
        {!question.required && !field.skipped && (
          <button type="button" className="link-button tool" onClick={() => form.skip(question.id)}>
            {t("question.skip")}
            <KeyHint action="skip" />
          </button>
        )}
        <div data-extra="note">
          <Extra
            add={t("question.note")}
            action="note"
            label={t("question.note.label")}
            text={field.note}
            onChange={(note) => form.setNote(question.id, note)}
          />
        </div>
        {tools}
        {/* Last, since it is loaded later. */}
        {!field.skipped && takesFiles(question) && !traitsOf(question).attached && (
          <Attachments question={question} field={field} form={form} />
        )}
      </div>
    </section>
  );
}

function sayUse(t: Translate, question: Question, proposed: string): string {
  if (isTyped(question)) return t("question.suggestion.use", { suggestion: isolated(proposed) });
  return traitsOf(question).widget === "scale" ? t("rating.suggested", { step: proposed }) : t("question.recommended.use");
}

interface ExtraProps {
  /** The label of the button that opens the field. */
  add: string;
  /** The action of its shortcut. */
  action: SharedKeyAction;
  label: string;
  text: string;
  onChange(text: string): void;
}

/** An optional text field, shown as a button until it is opened. Enter leaves it, as it is kept anyway. */
export function Extra({ add, action, label, text, onChange }: ExtraProps) {
  const t = useTranslate();
  const page = useAskbox();
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== "Enter" || isComposing(event) || ((event.shiftKey || isTouch()) && keyOf(event) !== "ctrl+enter")) return;
    event.preventDefault();
    event.stopPropagation();
    finishedOn(page).note();
    const { form } = event.currentTarget;
    setIsOpen(false);
    focusStart(form, false);
  };
  if (!isOpen && text === "") {
    return (
      <button type="button" className="link-button tool" onClick={() => setIsOpen(true)}>
        {add}
        <KeyHint action={action} />
      </button>
    );
  }
  return (
    <div className="extra">
      <label htmlFor={id}>{label}</label>
      <TextArea
        id={id}
        rows={2}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        autoFocus={isOpen}
        data-own-keys
      />
      <p className="keys-strip" aria-hidden="true">
        <Key name="enter" /> {t("extra.done")} <Key name="shift+enter" /> {t("extra.line")}
      </p>
    </div>
  );
}
