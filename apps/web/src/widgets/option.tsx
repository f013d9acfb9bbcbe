import type { Option } from "@askbox/core/questions";
import { digitOfOption } from "@askbox/react/keymap";
import { terminalLine } from "@askbox/terminal-text";
import { type ReactNode, useId, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { Preview } from "../markdown/preview.tsx";
import { AgentText } from "../ui/agent-text.tsx";

interface OptionGroupProps {
  kind: "radio" | "checkbox";
  className?: string;
  labelId: string;
  describedBy: string | undefined;
  required: boolean;
  invalid: boolean;
  children: ReactNode;
}

/** The choices of one question. Only a group of radios may be called required or invalid. */
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
  children: ReactNode;
  below?: ReactNode;
}

/** A choice with its key; the whole row is its label. */
export function OptionRow({ kind, name, index, checked, onChoose, children, below }: OptionRowProps) {
  const digit = digitOfOption(index);
  return (
    <div className="option" data-checked={checked || undefined}>
      <label>
        <input type={kind} name={name} checked={checked} onChange={onChoose} data-first={index === 0 || undefined} />
        <span className="option-text">{children}</span>
        {digit !== undefined && (
          <span className="option-key" aria-hidden="true">
            {digit}
          </span>
        )}
      </label>
      {below}
    </div>
  );
}

/** What an option would mean, behind a button. */
export function OptionPreview({ label, preview }: Pick<Option, "label" | "preview">) {
  const t = useTranslate();
  const [isOpen, setIsOpen] = useState(false);
  const previewId = useId();
  if (preview === undefined) return null;
  return (
    <div className="option-preview">
      <button type="button" className="link-button" aria-expanded={isOpen} aria-controls={previewId} onClick={() => setIsOpen(!isOpen)}>
        {t("question.preview")}
        <span className="visually-hidden"> {terminalLine(label)}</span>
      </button>
      <div id={previewId} hidden={!isOpen}>
        {isOpen && <Preview text={preview} />}
      </div>
    </div>
  );
}

/** An option's label, advice and description. */
export function OptionWords({ label, description, recommended }: Option) {
  const t = useTranslate();
  return (
    <>
      <span className="option-label">
        <AgentText>{label}</AgentText>
        {recommended === true && <span className="recommended">{t("question.recommended")}</span>}
      </span>
      {description !== undefined && (
        <span className="option-description">
          <Markdown text={description} inline />
        </span>
      )}
    </>
  );
}

/** An option of the agent's: label, advice, description, and what it would mean. */
export function AgentOption({ option, ...row }: Omit<OptionRowProps, "children" | "below"> & { option: Option }) {
  return (
    <OptionRow {...row} below={<OptionPreview label={option.label} preview={option.preview} />}>
      <OptionWords {...option} />
    </OptionRow>
  );
}
