import { type RefObject, useLayoutEffect, useRef } from "react";

/** As long as a row takes to leave, in ms. */
const duration = 120;

/** Lets the rows below one that leaves move up, rather than jump, unless the system asks for less motion. */
export function Collapse({ list, rows }: { list: RefObject<HTMLElement | null>; rows: readonly string[] }): null {
  const before = useRef<readonly string[]>([]);
  useLayoutEffect(() => {
    const kept = new Set(rows);
    const first = before.current.findIndex((id) => !kept.has(id));
    const gone = before.current.length - rows.length;
    const isOnly = first !== -1 && before.current.filter((id) => kept.has(id)).join() === rows.join();
    before.current = rows;
    if (!isOnly || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const moved = [...(list.current?.querySelectorAll<HTMLElement>("li:has(> [data-session])") ?? [])].slice(first);
    for (const row of moved) {
      const { top, height } = row.getBoundingClientRect();
      if (top > innerHeight) return;
      row.animate({ translate: [`0 ${gone * height}px`, "0 0"] }, { duration, easing: "ease-out" });
    }
  }, [list, rows]);
  return null;
}
