import type { Question } from "@askbox/core";
import type { Option } from "@askbox/core/questions";
import { keyOfOption } from "@askbox/inbox/commands";
import { terminalLine } from "@askbox/terminal-text";
import { createContext, type ReactNode, useContext, useId, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { Preview } from "../markdown/preview.tsx";
import { Pictures } from "../pictures/pictures.tsx";
import { LeadingText } from "../ui/agent-text.tsx";
import { Key, KeyHint } from "../ui/key-hint.tsx";
import { useHasPreviewBeside } from "./previews.tsx";

/** Whose options these are. */
export const QuestionContext = createContext<{ sessionId: string; question: Question } | undefined>(undefined);

interface OptionGroupProps {
  kind: "radio" | "checkbox";
  className?: string;
  labelId: string;
  describedBy: string | undefined;
  required: boolean;
  invalid: boolean;
  children: ReactNode;
}

/** The choices of a question. ARIA allows only a radio group to be required or invalid. */
export function OptionGroup({ kind, className = "", labelId, describedBy, required, invalid, children }: OptionGroupProps) {
  const names = `options ${className}`;
  if (kind === "checkbox") {
    return (
      <fieldset className={names} aria-labelledby={labelId} aria-describedby={describedBy}>
        {children}
      </fieldset>
    );
  }
  return (
    <div
      className={names}
      role="radiogroup"
      aria-labelledby={labelId}
      aria-describedby={describedBy}
      aria-required={required}
      aria-invalid={invalid}
    >
      {children}
    </div>
  );
}

interface OptionRowProps {
  kind: "radio" | "checkbox";
  name: string;
  index: number;
  checked: boolean;
  onChoose(): void;
  /** The value of an agent's option, by which its preview is found. */
  value?: string;
  /** Its shortcut, if that is not its digit. */
  hint?: string | undefined;
  children: ReactNode;
  below?: ReactNode;
}

/** A choice with its shortcut; the whole row is its label. */
export function OptionRow({ kind, name, index, checked, onChoose, value, hint, children, below }: OptionRowProps) {
  return (
    <div className="option" data-checked={checked || undefined} data-option={value}>
      <label>
        <input type={kind} name={name} checked={checked} onChange={onChoose} data-first={index === 0 || undefined} />
        <span className="option-text">{children}</span>
        <Key name={hint ?? keyOfOption(index, "shift")} />
      </label>
      {below}
    </div>
  );
}

/** What an option shows: its pictures, and its preview behind a button. */
export function OptionDetails({ images, ...option }: Option) {
  const of = useContext(QuestionContext);
  return (
    <>
      {of !== undefined && images !== undefined && <Pictures {...of} only={images} />}
      <OptionPreview {...option} />
    </>
  );
}

function OptionPreview({ label, preview }: Pick<Option, "label" | "preview">) {
  const t = useTranslate();
  const [isOpen, setIsOpen] = useState(false);
  const previewId = useId();
  const isBeside = useHasPreviewBeside();
  if (preview === undefined || isBeside) return null;
  return (
    <div className="option-preview">
      <button type="button" className="link-button" aria-expanded={isOpen} aria-controls={previewId} onClick={() => setIsOpen(!isOpen)}>
        {t("question.preview")}
        <span className="visually-hidden"> {terminalLine(label)}</span>
        <KeyHint action="read" />
      </button>
      <div id={previewId} hidden={!isOpen}>
        {isOpen && <Preview text={preview} />}
      </div>
    </div>
  );
}

/** An option's label, recommendation and description. */
export function OptionWords({ label, description, recommended }: Option) {
  const t = useTranslate();
  return (
    <>
      <span className="option-label" dir="auto">
        <LeadingText>{label}</LeadingText>
        {recommended === true && <bdi className="recommended">{t("question.recommended")}</bdi>}
      </span>
      {description !== undefined && (
        <span className="option-description">
          <Markdown text={description} inline />
        </span>
      )}
    </>
  );
}

/** An agent's option: label, recommendation, description, pictures and preview. */
export function AgentOption({ option, ...row }: Omit<OptionRowProps, "children" | "below"> & { option: Option }) {
  return (
    <OptionRow {...row} value={option.value} below={<OptionDetails {...option} />}>
      <OptionWords {...option} />
    </OptionRow>
  );
}
