import { type RefObject, useLayoutEffect, useState } from "react";
import type { Size } from "./zoom.ts";

/** The inner size of an element, while it is shown. */
export function useRoom(element: RefObject<HTMLElement | null>): Size {
  const [room, setRoom] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const measure = () => setRoom({ width: current.offsetWidth, height: current.offsetHeight });
    const observer = new ResizeObserver(measure);
    measure();
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return room;
}
