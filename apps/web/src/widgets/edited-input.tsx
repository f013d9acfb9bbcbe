import type { QuestionOf } from "@askbox/core";
import { createContext, useContext, useEffect, useId, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { TextArea } from "./text-area.tsx";

/** The arguments of an action as a person edits them: JSON text, or undefined while they are the agent's. */
export interface InputEditing {
  text: string | undefined;
  setText(text: string | undefined): void;
}

/** For the action that the buttons below the form decide. */
export const InputContext = createContext<InputEditing | undefined>(undefined);

/** The edited arguments of a session's action. They are no part of its draft, but kept in this tab, so that a reload doesn't lose them. */
export function useInputText(sessionId: string, isSettled: boolean) {
  const key = `askbox.arguments.${sessionId}`;
  const [text, setText] = useState(() => stored(() => sessionStorage.getItem(key)) ?? undefined);
  const kept = isSettled ? undefined : text;
  useEffect(() => {
    stored(() => (kept === undefined ? sessionStorage.removeItem(key) : sessionStorage.setItem(key, kept)));
  }, [key, kept]);
  return [text, setText] as const;
}

/** A browser may refuse storage, or have no room. */
function stored<Result>(use: () => Result): Result | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}

export const inputText = (input: Record<string, unknown> | undefined): string => JSON.stringify(input ?? {}, undefined, 2);

/** The changed arguments: `{}` if they are the agent's own, undefined if the text is no JSON object, or has a number that isn't kept. */
export function changedInput(text: string | undefined, original: Record<string, unknown> | undefined) {
  if (text === undefined) return {};
  try {
    const input: unknown = JSON.parse(text, (_, value) => {
      if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)) throw new RangeError();
      return value;
    });
    if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined;
    return JSON.stringify(input) === JSON.stringify(original ?? {}) ? {} : { input: input as Record<string, unknown> };
  } catch {
    return undefined;
  }
}

/** Edits the arguments of an action before it is allowed, if the asker takes that. */
export function EditedInput({ question: { action, editable } }: { question: QuestionOf<"approval"> }) {
  const t = useTranslate();
  const id = useId();
  const editing = useContext(InputContext);
  if (editing === undefined || editable !== true) return null;
  const { text, setText } = editing;
  if (text === undefined)
    return (
      <p>
        <button type="button" className="button small" onClick={() => setText(inputText(action.input))}>
          {t("approval.edit")}
        </button>
      </p>
    );
  const isValid = changedInput(text, action.input) !== undefined;
  return (
    <div className="extra">
      <label htmlFor={id}>{t("approval.edited")}</label>
      <TextArea
        id={id}
        className="exact"
        value={text}
        onChange={({ target }) => setText(target.value)}
        aria-invalid={!isValid}
        aria-describedby={`${id}-error`}
        spellCheck={false}
        dir="ltr"
        autoFocus
      />
      <p id={`${id}-error`} className="error" role="alert">
        {!isValid && t("approval.input")}
      </p>
      <p>
        <button type="button" className="link-button" onClick={() => setText(undefined)}>
          {t("approval.unedit")}
        </button>
      </p>
    </div>
  );
}
