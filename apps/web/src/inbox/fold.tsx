import { type ReactNode, useId } from "react";
import { Icon } from "../ui/icons.tsx";

interface FoldProps {
  title: string;
  isOpen: boolean;
  onToggle(): void;
  children: ReactNode;
}

/** A section of the list that can be folded away. */
export function Fold({ title, isOpen, onToggle, children }: FoldProps) {
  const id = useId();
  return (
    <section className="fold" aria-labelledby={id}>
      <h2 id={id}>
        <button type="button" className="fold-button" aria-expanded={isOpen} onClick={onToggle}>
          <Icon name="chevron" />
          {title}
        </button>
      </h2>
      {isOpen && <ul>{children}</ul>}
    </section>
  );
}
