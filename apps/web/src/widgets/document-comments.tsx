/** The comments below the lines that they are about, and the field that writes them. */
import type { Comment } from "@askbox/core/documents";
import { useAskbox } from "@askbox/react";
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import type { Translate } from "../i18n/translate.ts";
import { Key } from "../ui/key-hint.tsx";
import { isComposing, isTouch } from "../ui/keyboard.ts";
import { TextArea } from "./text-area.tsx";

/** A comment, its index in the answer, and the index of its last line. */
export interface LineComment {
  comment: Comment;
  at: number;
  end: number;
}

/** The comment that is being written on some lines, and its index once it is part of the draft. */
export interface WrittenComment {
  from: number;
  to: number;
  at?: number;
  /** What it said before. */
  before: string;
}

/** What can be done with comments, by stable functions: a document isn't rendered for them. */
export interface CommentActions {
  save(text: string): void;
  /** The same while it is being written. */
  pause(text: string): void;
  close(): void;
  edit(comment: LineComment): void;
  remove(at: number): void;
}

interface CommentsProps {
  below: readonly LineComment[];
  written: WrittenComment | undefined;
  takes: boolean;
  actions: CommentActions;
}

/** What stands below a line. */
export function Comments({ below, written, takes, actions }: CommentsProps) {
  const t = useTranslate();
  return (
    <>
      {below.map((each) => (
        <div key={each.at} className="line-comment" data-testid="line-comment">
          <p className="line-comment-place">{sayLines(t, each.comment)}</p>
          <p dir="auto" className="line-comment-text">
            {each.comment.text}
          </p>
          {takes && (
            <p className="line-comment-tools">
              <button type="button" className="link-button" onClick={() => actions.edit(each)}>
                {t("document.edit")}
              </button>
              <button type="button" className="link-button" onClick={() => actions.remove(each.at)}>
                {t("document.delete")}
              </button>
            </p>
          )}
        </div>
      ))}
      {written !== undefined && <Editor key={`${written.from} ${written.to}`} written={written} actions={actions} />}
    </>
  );
}

const sayLines = (t: Translate, { line, endLine: end }: Comment): string =>
  end === undefined || end === line ? t("document.line", { line }) : t("document.lines", { line, end });

/** Milliseconds without a key until what is being written is part of the draft; the document is rendered then. */
const pauseAfter = 300;

/** Writes a comment. A pause and leaving the field keep what was written. */
function Editor({ written, actions }: { written: WrittenComment; actions: CommentActions }) {
  const t = useTranslate();
  const { clock } = useAskbox();
  const [words, setWords] = useState(written.before);
  const isDone = useRef(false);
  const pause = useEffectEvent(() => {
    // Without text it would be deleted, and another is about to be typed.
    if (!isDone.current && words.trim() !== "" && words !== written.before) actions.pause(words);
  });
  // Each key starts the pause again.
  useEffect(() => clock.setTimer(pauseAfter, () => pause()), [words, clock]);
  const done = (text: string) => {
    if (!isDone.current) actions.save(text);
    isDone.current = true;
  };
  const finish = (text: string) => {
    done(text);
    actions.close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (isComposing(event)) return;
    const isSaved = key === "Enter" && !altKey && (ctrlKey || metaKey || (!shiftKey && !isTouch()));
    if (!isSaved && key !== "Escape") return;
    // Neither may send the answer or leave the question.
    event.preventDefault();
    event.stopPropagation();
    event.nativeEvent.stopPropagation();
    finish(words);
  };
  return (
    <div className="line-comment" data-editor>
      <TextArea
        rows={2}
        maxLength={10_000}
        value={words}
        onChange={({ target }) => setWords(target.value)}
        onKeyDown={onKeyDown}
        onBlur={({ relatedTarget, currentTarget }) => {
          if (currentTarget.closest("[data-editor]")?.contains(relatedTarget) !== true) done(words);
        }}
        aria-label={t("document.comment")}
        data-own-keys
        autoFocus
      />
      <p className="line-comment-tools">
        <button type="button" className="button small primary" onClick={() => finish(words)}>
          {t("document.save")}
          {!isTouch() && <Key name="enter" />}
        </button>
        <button type="button" className="button small quiet-button" onClick={() => finish(written.before)}>
          {t("document.discard")}
        </button>
        <span className="quiet">{t("document.saved")}</span>
      </p>
    </div>
  );
}
