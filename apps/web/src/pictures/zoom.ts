/** How a picture fits, and where it scrolls to when it is enlarged around a point. */
import { type RefObject, useLayoutEffect, useState } from "react";

/** Pixels. */
export interface Size {
  width: number;
  height: number;
}

/** Pixels. */
export interface Point {
  x: number;
  y: number;
}

/** By how much a step enlarges, and how large a pixel of the picture can become. */
const [step, most] = [1.5, 8];

/** At which scale a picture fits; a small one isn't enlarged. */
export function fittingScale(picture: Size, room: Size): number {
  const scale = Math.min(1, room.width / picture.width, room.height / picture.height);
  return scale > 0 ? scale : 1;
}

/** One step closer (1) or back (-1), stopping at the scale that fits, at the picture's own size and at the largest. */
export function nextScale(scale: number, by: 1 | -1, fitting: number): number {
  const next = by === 1 ? scale * step : scale / step;
  const isPassed = by === 1 ? scale < 1 && next > 1 : scale > 1 && next < 1;
  return Math.min(most, Math.max(fitting, isPassed ? 1 : next));
}

interface Axis {
  scroll: number;
  /** The point that stays where it is, from the start of the room. */
  point: number;
  room: number;
  /** The picture's own length. */
  length: number;
}

/** Where to scroll to along an axis as the scale changes. A picture that is smaller than its room stands in the middle. */
export function scrollAt({ scroll, point, room, length }: Axis, from: number, to: number): number {
  const margin = (scale: number) => Math.max(0, (room - length * scale) / 2);
  const along = (scroll + point - margin(from)) / from;
  return Math.max(0, along * to + margin(to) - point);
}

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
