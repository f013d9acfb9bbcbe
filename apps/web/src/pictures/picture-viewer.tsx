import type { shownImages } from "@askbox/core/questions";
import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslate } from "../i18n/language.tsx";
import { AgentText } from "../ui/agent-text.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Key } from "../ui/key-hint.tsx";
import { MissingPicture, nameOf, Picture, usePicture } from "./picture.tsx";
import { fittingScale, nextScale, scrollAt, useRoom } from "./zoom.ts";

/** Pixels by which an arrow key moves a picture that is larger than its room, and by which a press may move and still be a click. */
const [move, still] = [80, 4];

type All = ReturnType<typeof shownImages>;

interface PictureViewerProps {
  sessionId: string;
  all: All;
  /** The index of the one that is shown first. */
  first: number;
  onClose(): void;
}

/** One picture as large as the window, and larger. Pictures of the same size keep their place, to compare them. */
export function PictureViewer({ sessionId, all, first, onClose }: PictureViewerProps) {
  const t = useTranslate();
  const [index, setIndex] = useState(first);
  const stage = useRef<HTMLDivElement>(null);
  const room = useRoom(stage);
  /** Undefined: as it fits. */
  const [zoomed, setZoomed] = useState<number>();
  const { image, option } = all[index] as All[number];
  const fitting = fittingScale(image, room);
  const scale = Math.max(fitting, zoomed ?? fitting);

  const zoomTo = (next: number, point = { x: room.width / 2, y: room.height / 2 }) => {
    const element = stage.current;
    if (element === null || next === scale) return;
    const { scrollLeft, scrollTop } = element;
    flushSync(() => setZoomed(next > fitting ? next : undefined));
    element.scrollTo(
      scrollAt({ scroll: scrollLeft, point: point.x, room: room.width, length: image.width }, scale, next),
      scrollAt({ scroll: scrollTop, point: point.y, room: room.height, length: image.height }, scale, next),
    );
  };
  const step = (by: 1 | -1) => zoomTo(nextScale(scale, by, fitting));
  const go = (by: 1 | -1) => {
    const to = (index + by + all.length) % all.length;
    const next = all[to] as All[number];
    setIndex(to);
    if (next.image.width !== image.width || next.image.height !== image.height) setZoomed(undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    const element = stage.current;
    if (event.ctrlKey || event.altKey || event.metaKey || element === null) return;
    if (key === "+" || key === "=") step(1);
    else if (key === "-") step(-1);
    else if (key === "0") zoomTo(fitting);
    else if (key === "PageDown" || key === "PageUp") go(key === "PageDown" ? 1 : -1);
    else if (key === "ArrowUp" || key === "ArrowDown") element.scrollBy(0, key === "ArrowDown" ? move : -move);
    else if (key !== "ArrowLeft" && key !== "ArrowRight") return;
    else if (element.scrollWidth > element.clientWidth) element.scrollBy(key === "ArrowRight" ? move : -move, 0);
    else go(key === "ArrowRight" ? 1 : -1);
    event.preventDefault();
  };
  const drag = useDrag(stage, (point) => zoomTo(scale > fitting ? fitting : fitting < 1 ? 1 : nextScale(scale, 1, fitting), point));
  const isFitting = scale === fitting;
  return (
    <Dialog title={nameOf(image)} className="picture-viewer" onClose={onClose} onKeyDown={onKeyDown}>
      <section
        ref={stage}
        className="picture-stage"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls.
        tabIndex={0}
        aria-label={nameOf(image)}
        data-fits={isFitting || undefined}
        {...drag}
      >
        {all.map((one, at) => (
          // They never change, and one may be there twice.
          <div key={at} hidden={at !== index}>
            <StagePicture sessionId={sessionId} image={one.image} scale={scale} />
          </div>
        ))}
      </section>
      <div className="dialog-actions">
        <p className="quiet" role="status">
          {all.length > 1 && <span>{t("pictures.number", { number: index + 1, total: all.length })}</span>}
          {option !== undefined && <AgentText className="picture-option">{option}</AgentText>}
          <span>
            {image.width} × {image.height}
          </span>
          <span>{Math.round(scale * 100)} %</span>
        </p>
        <button type="button" className="button" aria-label={t("pictures.smaller")} disabled={isFitting} onClick={() => step(-1)}>
          −
        </button>
        <button
          type="button"
          className="button"
          aria-label={t("pictures.larger")}
          disabled={nextScale(scale, 1, fitting) === scale}
          onClick={() => step(1)}
        >
          +
        </button>
        <button type="button" className="button" disabled={isFitting} onClick={() => zoomTo(fitting)}>
          {t("pictures.fit")}
          <Key name="0" />
        </button>
        {all.length > 1 && (
          <>
            <button type="button" className="button" onClick={() => go(-1)}>
              {t("pictures.before")}
              <Key name="←" />
            </button>
            <button type="button" className="button" onClick={() => go(1)}>
              {t("pictures.next")}
              <Key name="→" />
            </button>
          </>
        )}
        <button type="button" className="button" onClick={onClose}>
          {t("action.close")}
        </button>
      </div>
    </Dialog>
  );
}

function StagePicture({ sessionId, image, scale }: { sessionId: string; image: All[number]["image"]; scale: number }) {
  const loaded = usePicture(sessionId, image.sha256);
  if (loaded.problem !== undefined) return <MissingPicture image={image} loaded={loaded} />;
  // Rounded down, so that what fits needs no scroll bars.
  const [width, height] = [Math.floor(image.width * scale), Math.floor(image.height * scale)];
  return <Picture image={image} loaded={loaded} style={{ width, height }} />;
}

/** A mouse moves what is larger than its room, and a click anywhere is told with its place; fingers scroll by themselves. */
function useDrag(stage: RefObject<HTMLElement | null>, onClick: (point: { x: number; y: number }) => void) {
  const from = useRef<{ x: number; y: number; left: number; top: number; moved: boolean }>(undefined);
  return {
    onPointerDown(event: PointerEvent) {
      const { current } = stage;
      if (current === null || event.button !== 0 || (event.target as Element).closest("button") !== null) return;
      from.current = { x: event.clientX, y: event.clientY, left: current.scrollLeft, top: current.scrollTop, moved: false };
      if (event.pointerType === "mouse") current.setPointerCapture(event.pointerId);
    },
    onPointerMove({ clientX, clientY, pointerType }: PointerEvent) {
      const start = from.current;
      if (start === undefined) return;
      const [x, y] = [clientX - start.x, clientY - start.y];
      start.moved ||= Math.hypot(x, y) > still;
      if (start.moved && pointerType === "mouse") stage.current?.scrollTo(start.left - x, start.top - y);
    },
    onPointerUp({ clientX, clientY }: PointerEvent) {
      const start = from.current;
      const box = stage.current?.getBoundingClientRect();
      from.current = undefined;
      if (start !== undefined && !start.moved && box !== undefined) onClick({ x: clientX - box.left, y: clientY - box.top });
    },
    onPointerCancel() {
      from.current = undefined;
    },
  };
}
