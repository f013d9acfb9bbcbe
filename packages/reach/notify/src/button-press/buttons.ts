import type { AnswerSet, SessionView } from "@askbox/core";
import { actionParts, allImages, offeredOptions, traitsOf } from "@askbox/core/questions";
import { answerOf, emptyField, fieldAfter } from "@askbox/inbox/form";
import { exactText, plainText } from "@askbox/terminal-text";

/** An answer that one press gives. */
export interface Button {
  /** One line, as its answer is called everywhere. */
  label: string;
  answer: AnswerSet;
}

/** What a message with buttons shows, and what they answer. */
export interface Buttons {
  /** The whole question; undefined if it is too long for that. */
  whole?: string;
  /** The whole action, if it is too long for that: for a file. */
  file?: string;
  buttons: readonly Button[];
}

export interface ButtonOptions {
  /** The maximum number of buttons. */
  max: number;
  /** The maximum length of the body, in bytes of UTF-8, and of a label, in characters. */
  maxBody: number;
  maxLabel: number;
  /** The maximum number of lines of the body; default any. */
  maxLines?: number;
  /** Whether the body lists the labels of options that have nothing else, too; default true. */
  listsLabels?: boolean;
  /** Whether an action may be allowed from here. */
  allow: boolean;
}

/**
 * The buttons that a session can have: for one question of which one option is picked, and that fits in whole. Nothing of it is cut or left
 * out: an answer belongs to what was shown. An action that does not fit can only be denied. Undefined for no buttons.
 */
export function buttonsOf(session: SessionView, options: ButtonOptions): Buttons | undefined {
  const { max, maxBody, maxLines = Number.POSITIVE_INFINITY, maxLabel, listsLabels = true, allow } = options;
  const [question, ...others] = session.questions;
  if (session.status !== "pending" || session.scheduled !== undefined || question === undefined || others.length > 0) return undefined;
  const { picks } = traitsOf(question);
  const offered = offeredOptions(question);
  // A message shows no pictures.
  const isShown = allImages(session.questions).length === 0;
  const fits = (body: string) => isShown && Buffer.byteLength(body) <= maxBody && body.split("\n").length <= maxLines;
  const button = ({ value, label }: { value: string; label: string }): Button => ({
    label,
    answer: { answers: [answerOf(question, fieldAfter(question, emptyField, { kind: "choose", value }))] },
  });
  const parts = [session.title, question.question, "document" in question ? question.document : undefined].filter(
    (part) => part !== undefined,
  );
  if (picks === "decision" && "action" in question) {
    const shown = actionParts(question.action).map(({ name, text }) => (text.includes("\n") ? `${name}:\n${text}` : `${name}: ${text}`));
    const body = [...parts, ...shown].map(exactText).join("\n");
    const isWhole = fits(body);
    const pressable = offered.filter(({ shortcut }) => shortcut === "no" || (shortcut === "allow" && allow && isWhole));
    return { ...(isWhole ? { whole: body } : { file: body }), buttons: pressable.map(button) };
  }
  if (picks !== "one" || offered.length === 0 || offered.length > max) return undefined;
  const listed = offered
    .filter(({ description, preview }) => listsLabels || description !== undefined || preview !== undefined)
    .flatMap(({ label, description, preview }) => [`• ${label}`, description, preview]);
  const body = [...parts, ...listed].flatMap((text) => (text === undefined ? [] : text.split(/\r?\n/).map(plainText))).join("\n");
  const areShown = offered.every(
    ({ label }) => plainText(label) === label && !label.includes("\n") && Array.from(label).length <= maxLabel,
  );
  return areShown && fits(body) ? { whole: body, buttons: offered.map(button) } : undefined;
}
