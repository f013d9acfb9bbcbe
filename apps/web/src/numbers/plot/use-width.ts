import { type RefObject, useLayoutEffect, useRef, useState } from "react";

/** An element and its width in px, so that plots use the page's own font sizes and are never scaled. */
export function useWidth<Of extends Element>(): [RefObject<Of | null>, number] {
  const element = useRef<Of>(null);
  const [width, setWidth] = useState(0);

  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const measure = () => setWidth(Math.floor(current.getBoundingClientRect().width));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
