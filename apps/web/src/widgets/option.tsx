/**
 * The options of a question: a group of radios or checkboxes, each with its words, pictures and key, and their previews, below or beside them
 * where there is room.
 */
import type { Question } from "@askbox/core";
import type { Option } from "@askbox/core/questions";
import { keyOfOption } from "@askbox/inbox/commands";
import { terminalLine } from "@askbox/terminal-text";
import { createContext, type ReactNode, type SyntheticEvent, useContext, useId, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { Markdown, Preview } from "../markdown/markdown.tsx";
import { Pictures } from "../pictures/pictures.tsx";
import { AgentText, LeadingText } from "../ui/agent-text.tsx";
import { Key, KeyHint } from "../ui/key-hint.tsx";
import { useMedia } from "../ui/use-media.ts";

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

/** From this width on, a preview is shown next to the options. */
const wide = "(width >= 1100px)";

/** Whether a widget has the pane's width; it doesn't in a row of the list. */
export const RoomContext = createContext(false);
const BesideContext = createContext(false);

/** Whether previews are next to the options, so that options don't show their own. */
const useHasPreviewBeside = (): boolean => useContext(BesideContext);

interface WithPreviewsProps {
  options: readonly Option[];
  /** The value picked last. */
  chosen: string | undefined;
  /** The options; each row has its value in `data-option`. */
  children: ReactNode;
}

/** Options with the preview of the current one next to them, if there is room. */
export function WithPreviews({ options, chosen, children }: WithPreviewsProps) {
  const hasRoom = useContext(RoomContext);
  const isWide = useMedia(wide) && hasRoom;
  const previewed = options.filter(({ preview }) => preview !== undefined);
  if (previewed.length === 0 || !isWide) return children;
  return (
    <Beside options={options} previewed={previewed} chosen={chosen}>
      {children}
    </Beside>
  );
}

function Beside({ options, previewed, chosen, children }: WithPreviewsProps & { previewed: readonly Option[] }) {
  const t = useTranslate();
  const [seen, setSeen] = useState({ chosen, value: chosen ?? previewed[0]?.value });
  if (seen.chosen !== chosen) setSeen({ chosen, value: chosen ?? seen.value });
  const option = options.find(({ value }) => value === seen.value) ?? previewed[0];
  const showPreview = ({ target }: SyntheticEvent) => {
    const value = (target as Element).closest<HTMLElement>("[data-option]")?.dataset["option"];
    if (value !== undefined && value !== seen.value) setSeen({ chosen, value });
  };
  const after = previewed.findIndex(({ value }) => value === option?.value) + 1;
  const next = previewed[after % previewed.length];
  return (
    <div className="beside">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only observes which option is current. */}
      <div className="beside-options" onFocus={showPreview} onMouseOver={showPreview}>
        <BesideContext value={true}>{children}</BesideContext>
      </div>
      <div className="beside-preview">
        <header>
          <p>
            <span className="quiet">{t("question.preview")}</span> {option !== undefined && <AgentText>{option.label}</AgentText>}
          </p>
          {next !== undefined && next.value !== option?.value && (
            <button type="button" className="link-button" data-next-preview onClick={() => setSeen({ chosen, value: next.value })}>
              {t("question.preview.next")}
              <KeyHint action="read" />
            </button>
          )}
        </header>
        {option?.preview === undefined ? (
          <p className="quiet">{t("question.preview.none")}</p>
        ) : (
          <Preview key={option.value} text={option.preview} />
        )}
      </div>
    </div>
  );
}
