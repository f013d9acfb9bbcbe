import type { QuestionOf } from "@askbox/core";
import { optionsInOrder } from "@askbox/inbox";
import { digitOfOption, optionOfDigit } from "@askbox/inbox/commands";
import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslate } from "../i18n/language.tsx";
import { isolated } from "../i18n/phrases.ts";
import { Key, KeyHint } from "../ui/key-hint.tsx";
import { OptionDetails, OptionWords, WithPreviews } from "./option.tsx";
import { describedBy, type WidgetProps } from "./widget.ts";

const arrows: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/** Options to put in order. The initial order only counts as an answer once it is changed or confirmed. */
export function RankingWidget({ question, field, form, error, labelId, errorId, hintId }: WidgetProps<QuestionOf<"ranking">>) {
  const t = useTranslate();
  const list = useRef<HTMLOListElement>(null);
  const [dragged, setDragged] = useState<string>();
  const [said, setSaid] = useState("");
  /** The option under the cursor, which a digit moves to its rank; without one, a digit leads to an option. */
  const [at, setAt] = useState<string>();
  const options = optionsInOrder(question, field);
  const isRanked = field.values.length > 0;
  const total = options.length;

  const place = (value: string, index: number) => {
    const option = options.find((each) => each.value === value);
    if (option === undefined) return;
    form.place(question.id, value, index);
    setSaid(t("ranking.moved", { label: isolated(option.label), rank: index + 1, total }));
  };
  const keep = () => {
    form.place(question.id, options[0]?.value ?? "", 0);
    setSaid(t("ranking.kept"));
  };
  const focusAt = (index: number, button: string) => {
    const row = list.current?.children[index];
    const target = row?.querySelector<HTMLElement>(`${button}:enabled`) ?? row?.querySelector<HTMLElement>(".handle");
    target?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, value: string, index: number) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (event.key === "Enter" && !isRanked) {
      event.preventDefault();
      event.stopPropagation();
      event.nativeEvent.stopPropagation();
      return keep();
    }
    const shift = Object.hasOwn(arrows, event.key) ? arrows[event.key] : undefined;
    const to = shift === undefined ? optionOfDigit(event.key, total) : Math.min(total - 1, Math.max(0, index + shift));
    if (to === undefined) return;
    event.preventDefault();
    place(value, to);
    focusAt(to, ".handle");
  };
  const onPointerMove = ({ clientY }: PointerEvent<HTMLElement>) => {
    if (dragged === undefined) return;
    const rows = [...(list.current?.children ?? [])];
    const to = rows.findIndex((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return clientY >= top && clientY < bottom;
    });
    if (to < 0 || options[to]?.value === dragged) return;
    place(dragged, to);
    rows[to]?.scrollIntoView({ block: "nearest" });
  };
  const drop = () => setDragged(undefined);

  return (
    <WithPreviews options={question.options} chosen={undefined}>
      <div>
        <ol
          ref={list}
          className="options ranking"
          onFocus={({ target }) => setAt(target.matches(".handle") ? target.closest("li")?.dataset["option"] : undefined)}
          onBlur={() => setAt(undefined)}
          aria-labelledby={labelId}
          aria-describedby={describedBy(hintId, error && errorId)}
        >
          {options.map((option, index) => {
            const { value } = option;
            const label = isolated(option.label);
            const step = (to: number, button: "up" | "down") => (
              <button
                type="button"
                className={button}
                aria-label={t(`ranking.${button}`, { label })}
                disabled={to < 0 || to >= total}
                onClick={() => {
                  // Its arrow may have become the last one, which is disabled.
                  flushSync(() => place(value, to));
                  focusAt(to, `.${button}`);
                }}
              >
                <span aria-hidden="true">{button === "up" ? "↑" : "↓"}</span>
              </button>
            );
            return (
              // The element follows the rank, so that a drag keeps its pointer and a key its focus.
              <li
                key={index}
                className="option rank"
                data-checked={isRanked || undefined}
                data-dragged={value === dragged || undefined}
                data-option={value}
              >
                <button
                  type="button"
                  className="handle"
                  data-first={index === 0 || undefined}
                  aria-label={t("ranking.handle", { label, rank: index + 1, total })}
                  onKeyDown={(event) => onKeyDown(event, value, index)}
                  onPointerDown={(event) => {
                    if (event.button !== 0) return;
                    event.currentTarget.setPointerCapture(event.pointerId);
                    setDragged(value);
                  }}
                  onPointerMove={onPointerMove}
                  onLostPointerCapture={drop}
                >
                  <span aria-hidden="true">⠿{isRanked ? ` ${index + 1}` : ""}</span>
                </button>
                <span className="option-text">
                  <OptionWords {...option} />
                  <OptionDetails key={value} {...option} />
                </span>
                <Key name={digitOfOption(index) ?? ""} works={at === undefined} />
                {step(index - 1, "up")}
                {step(index + 1, "down")}
              </li>
            );
          })}
        </ol>
        <p className="keys-strip" data-off={at === undefined || undefined} aria-hidden="true">
          <Key name={total > 1 ? `1–${Math.min(9, total)}` : "1"} /> {t("ranking.key.rank")} <Key name="↑" /> <Key name="↓" />{" "}
          {t("ranking.key.move")}
        </p>
        {!isRanked && (
          <button
            type="button"
            className="link-button"
            onClick={() => {
              keep();
              focusAt(0, ".handle");
            }}
          >
            {t("ranking.keep")}
            <KeyHint action="recommended" />
          </button>
        )}
        <p className="visually-hidden" aria-live="polite">
          {said}
        </p>
      </div>
    </WithPreviews>
  );
}
