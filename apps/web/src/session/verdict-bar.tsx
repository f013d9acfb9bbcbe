import type { QuestionOf } from "@askbox/core";
import { offeredOptions } from "@askbox/core/questions";
import type { Field } from "@askbox/inbox";
import { keyOfOption } from "@askbox/inbox/commands";
import { sayOwnOption } from "../i18n/first-phrases.ts";
import { useTranslate } from "../i18n/language.tsx";
import { Key, KeyHint } from "../ui/key-hint.tsx";

export interface VerdictProps {
  question: QuestionOf<"review">;
  field: Field;
  disabled: boolean;
  /** Sends the verdict, or goes on to the next question of a set. */
  give(value: string): void;
}

/** The verdict on a document, in view while it is read. What was picked by its key is sent by Enter; a press sends. */
export function Verdicts({ question, field, disabled, give }: VerdictProps) {
  const t = useTranslate();
  const isCommented = (field.comments?.length ?? 0) > 0 || field.note.trim() !== "";
  const [chosen = ""] = field.values;
  // An approval with comments is one with or without them being picked.
  const verdicts = ["request_changes", isCommented ? "approve_with_comments" : "approve"];
  const picked = chosen.startsWith("approve") ? verdicts[1] : chosen;
  const meant = verdicts.includes(picked ?? "") ? picked : verdicts[isCommented ? 0 : 1];
  const keyOf = (value: string) =>
    keyOfOption(
      offeredOptions(question).findIndex((option) => value.startsWith(option.value)),
      "shift",
    );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is disabled with its form, and has a border of its own.
    <div className="verdicts" role="group" aria-label={t("document.verdict")}>
      {verdicts.map((value) => (
        <button
          key={value}
          type="button"
          className={value === meant ? "button primary" : "button"}
          disabled={disabled}
          aria-pressed={value === picked}
          onClick={() => give(value)}
          {...(value === meant && { "data-testid": "primary" })}
        >
          {sayOwnOption(t, question, value)}
          {value === picked ? <KeyHint action="confirm" /> : <Key name={keyOf(value)} />}
        </button>
      ))}
    </div>
  );
}
