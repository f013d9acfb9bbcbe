import { type ReactNode, useId } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { Icon } from "../ui/icons.tsx";

interface FoldProps {
  name: "snoozed" | "left" | "denied";
  count: number;
  isOpen: boolean;
  onToggle(): void;
  children: ReactNode;
}

/** A section of the list that can be folded away. */
export function Fold({ name, count, isOpen, onToggle, children }: FoldProps) {
  const t = useTranslate();
  const id = useId();
  return (
    <section className="fold" data-fold={name} aria-labelledby={id}>
      <h2 id={id}>
        <button type="button" className="fold-button" aria-expanded={isOpen} onClick={onToggle}>
          <Icon name="chevron" />
          {t(`inbox.${name}`, { count })}
        </button>
      </h2>
      {isOpen && <ul>{children}</ul>}
    </section>
  );
}
