import type { QuestionOf, SessionView } from "@askbox/core";
import { useId, useRef, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { KeyHint } from "../ui/key-hint.tsx";
import { keyOf } from "../ui/keyboard.ts";
import { later } from "../ui/later.tsx";

const GrantMenu = later(async () => (await import("./grant-menu.tsx")).GrantMenu);

export interface DecisionBarProps {
  session: SessionView;
  question: QuestionOf<"approval">;
  /** The changed arguments; undefined if they are invalid. */
  changed: { input?: Record<string, unknown> } | undefined;
  disabled: boolean;
  /** Sends a decision: `allow`, `deny`, or a grant's value with its time. */
  decide(value: string): void;
  /** Asks for a reason, and then denies. */
  onReason(): void;
}

/** Denies or allows an action. A plan is approved, or sent back with words; a model's denial is overruled or agreed with. */
export function DecisionBar({ session, question, changed, disabled, decide, onReason }: DecisionBarProps) {
  const t = useTranslate();
  const { action, grants, agentOptions, denial } = question;
  const isPlan = action.kind === "plan";
  const isEdited = changed?.input !== undefined;
  return (
    <div className="actions-row decision">
      <button
        type="button"
        className={isPlan || denial !== undefined ? "button" : "button danger"}
        disabled={disabled}
        onClick={() => decide("deny")}
      >
        {t(denial !== undefined ? "denial.agree" : isPlan ? "plan.keep" : "approval.deny")}
        <KeyHint action="no" />
      </button>
      <button type="button" className="button quiet-button deny-reason" disabled={disabled} onClick={onReason}>
        {t(denial === undefined ? "deny.reason" : "denial.words")}
        <KeyHint action="cancel" />
      </button>
      <span className="actions-saved" />
      {(grants || agentOptions) && <AllowAlways session={session} question={question} disabled={disabled || isEdited} onAllow={decide} />}
      <button type="button" className="button primary" disabled={disabled} onClick={() => decide("allow")} data-testid="primary">
        {t(denial !== undefined ? "denial.overrule" : isPlan ? "plan.approve" : isEdited ? "approval.allow.changed" : "approval.allow")}
        <KeyHint action="allow" />
      </button>
    </div>
  );
}

interface AllowAlwaysProps extends Pick<DecisionBarProps, "session" | "question" | "disabled"> {
  onAllow(value: string): void;
}

/** Opens the sentence that allows it from now on. */
function AllowAlways({ session, question, disabled, onAllow }: AllowAlwaysProps) {
  const t = useTranslate();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  return (
    <>
      <button type="button" className="button approval-always" popoverTarget={id} disabled={disabled}>
        {t("approval.always")} ▾
        <KeyHint action="always" />
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its fields take the keys. */}
      <div
        ref={menu}
        id={id}
        popover="auto"
        className="grant-menu"
        // It lies above the page, aligned with the buttons that it belongs to.
        onBeforeToggle={({ currentTarget }) => {
          const { right, top } = currentTarget.parentElement?.getBoundingClientRect() ?? new DOMRect();
          currentTarget.style.right = `${innerWidth - right}px`;
          currentTarget.style.bottom = `${innerHeight - top + 20}px`;
        }}
        onToggle={({ newState }) => setOpen(newState === "open")}
        onKeyDown={(event) => {
          // Whatever is done there is not meant for the question.
          if (keyOf(event) !== "escape") return;
          event.preventDefault();
          event.stopPropagation();
          menu.current?.hidePopover();
        }}
      >
        {isOpen && (
          <GrantMenu
            session={session}
            question={question}
            onAllow={(value) => {
              menu.current?.hidePopover();
              onAllow(value);
            }}
          />
        )}
      </div>
    </>
  );
}
