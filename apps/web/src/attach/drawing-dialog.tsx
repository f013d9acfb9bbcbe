import type { AnswerFile } from "@askbox/core/questions";
import { useAskbox } from "@askbox/react";
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useLayoutEffect, useReducer, useRef, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { useRoom } from "../pictures/use-room.ts";
import { fittingScale, type Point } from "../pictures/zoom.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Key } from "../ui/key-hint.tsx";
import { type Drawing, drawCross, drawMarks, drawnFile, extended, isMeant, type Mark, type Tool, tools, unitOf } from "./drawing.ts";
import { fileBytes } from "./files-client.ts";

/** By which share of the picture an arrow key moves the cross, and with Shift. */
const [step, largeStep] = [0.01, 0.1];

const none: readonly Mark[] = [];

interface DrawingDialogProps {
  sessionId: string;
  file: AnswerFile;
  /** What was drawn on it before. */
  drawing?: Drawing | undefined;
  /** Nothing is sent; the marks can be continued. */
  onClose(drawing?: Drawing): void;
  /** To attach the picture with its marks instead. */
  onDone(drawn: File, drawing: Drawing): void;
}

/** Draws arrows, boxes and lines on a picture before it is sent, and blurs parts of it. */
export function DrawingDialog({ sessionId, file, drawing, onClose, onDone }: DrawingDialogProps) {
  const t = useTranslate();
  const hint = useId();
  const stage = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const room = useRoom(stage);
  const [source, failed] = useSource(sessionId, file, drawing);
  const [tool, setTool] = useState<Tool>("arrow");
  const { attached = none, marks: before = none } = drawing ?? {};
  const [marks, setMarks] = useState(before);
  // A reference, since several moves may come before the next rendering.
  const begun = useRef<Mark>(undefined);
  const cross = useRef<Point>(undefined);
  const [changes, changed] = useReducer((count: number) => count + 1, 0);
  const isDone = useRef(false);

  const size = source?.bitmap ?? { width: 1, height: 1 };
  const scale = fittingScale(size, room);
  const [width, height] = [Math.floor(size.width * scale), Math.floor(size.height * scale)];

  // `changes` stands for the references.
  useLayoutEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (context == null || source === undefined) return;
    const ratio = (devicePixelRatio * width) / size.width;
    context.canvas.width = Math.round(size.width * ratio);
    context.canvas.height = Math.round(size.height * ratio);
    context.scale(ratio, ratio);
    drawMarks(context, source.bitmap, begun.current === undefined ? marks : [...marks, begun.current]);
    if (cross.current !== undefined) drawCross(context, size, cross.current);
  }, [source, marks, changes, width, height]);
  useEffect(() => {
    if (source !== undefined) canvas.current?.focus();
  }, [source]);

  const begin = (point: Point) => {
    begun.current = { tool, points: [point] };
    changed();
  };
  const extend = (point: Point) => {
    if (begun.current === undefined) return;
    begun.current = extended(begun.current, point);
    changed();
  };
  const end = () => {
    const mark = begun.current;
    begun.current = undefined;
    changed();
    if (mark !== undefined && isMeant(mark, unitOf(size))) setMarks((all) => [...all, mark]);
  };
  const undo = () => {
    begun.current = undefined;
    changed();
    setMarks((all) => all.slice(0, -1));
  };
  const close = () => onClose(source && { picture: source.picture, marks, attached });
  const done = async () => {
    if (source === undefined || isDone.current) return;
    if (marks === attached || marks.length + attached.length === 0) return close();
    isDone.current = true;
    const next = { picture: source.picture, marks, attached: marks };
    const drawn = marks.length === 0 ? new File([source.picture], file.name) : await drawnFile(file.name, source.bitmap, next);
    isDone.current = false;
    if (drawn !== undefined) onDone(drawn, next);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    const onCanvas = event.target === canvas.current;
    const arrow = arrows[key];
    if (key === "Enter" && (onCanvas || event.ctrlKey || event.metaKey)) void done();
    else if (key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey)) undo();
    else if (event.ctrlKey || event.altKey || event.metaKey) return;
    else if (key === "u") undo();
    else if (tools[Number(key) - 1] !== undefined) setTool(tools[Number(key) - 1] as Tool);
    else if (onCanvas && arrow !== undefined) {
      const by = Math.max(size.width, size.height) * (event.shiftKey ? largeStep : step);
      const { x, y } = cross.current ?? { x: size.width / 2, y: size.height / 2 };
      cross.current = within(size, { x: x + arrow.x * by, y: y + arrow.y * by });
      extend(cross.current);
      changed();
    } else if (onCanvas && key === " ") {
      cross.current ??= { x: size.width / 2, y: size.height / 2 };
      if (begun.current === undefined) begin(cross.current);
      else end();
    } else return;
    event.preventDefault();
  };
  /** Where a pointer is, in pixels of the picture. */
  const pointOf = ({ clientX, clientY, currentTarget }: PointerEvent) => {
    const box = currentTarget.getBoundingClientRect();
    return within(size, {
      x: ((clientX - box.left) / box.width) * size.width,
      y: ((clientY - box.top) / box.height) * size.height,
    });
  };
  return (
    <Dialog title={t("drawing.title", { name: file.name })} className="picture-viewer" onClose={close} onKeyDown={onKeyDown}>
      <section ref={stage} className="picture-stage drawing-stage">
        {failed && <p className="picture-missing">{t("pictures.broken", { name: file.name })}</p>}
        {source !== undefined && (
          <div style={{ width, height }}>
            <img src={source.url} alt="" width={width} height={height} />
            {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: a canvas isn't interactive by itself; here keys draw. */}
            <canvas
              ref={canvas}
              style={{ width, height }}
              role="application"
              tabIndex={0}
              aria-label={t("drawing.canvas")}
              aria-describedby={hint}
              onPointerDown={(event) => {
                if (event.button !== 0 || !event.isPrimary) return;
                event.currentTarget.setPointerCapture(event.pointerId);
                cross.current = undefined;
                begin(pointOf(event));
              }}
              onPointerMove={(event) => {
                if (event.isPrimary && event.buttons !== 0) extend(pointOf(event));
              }}
              onPointerUp={(event) => {
                if (event.isPrimary) end();
              }}
              onPointerCancel={() => {
                begun.current = undefined;
                changed();
              }}
            />
          </div>
        )}
      </section>
      <div className="dialog-actions">
        <p id={hint} className="quiet">
          {t("drawing.hint")} <span className="key-hint">{t("drawing.keys")}</span>
        </p>
        <fieldset className="drawing-tools" aria-label={t("drawing.tools")}>
          {tools.map((each, index) => (
            <button key={each} type="button" className="button" aria-pressed={each === tool} onClick={() => setTool(each)}>
              {t(`drawing.${each}`)}
              <Key name={`${index + 1}`} />
            </button>
          ))}
        </fieldset>
        <button type="button" className="button" disabled={marks.length === 0} onClick={undo}>
          {t("action.undo")}
          <Key name="u" />
        </button>
        <button type="button" className="button" onClick={close}>
          {t("action.close")}
        </button>
        <button type="button" className="button primary" disabled={source === undefined} onClick={() => void done()}>
          {t("drawing.done")}
          <Key name="enter" />
        </button>
      </div>
    </Dialog>
  );
}

// keys: keys of a keyboard.
const arrows: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

const within = ({ width, height }: { width: number; height: number }, { x, y }: Point): Point => ({
  x: Math.min(width, Math.max(0, x)),
  y: Math.min(height, Math.max(0, y)),
});

interface Source {
  picture: Blob;
  bitmap: ImageBitmap;
  url: string;
}

/** The picture to draw on: as it was attached first, and whether it could not be read. */
function useSource(sessionId: string, { sha256 }: AnswerFile, drawing: Drawing | undefined): [Source | undefined, boolean] {
  const { clock } = useAskbox();
  const [source, setSource] = useState<Source>();
  const [failed, setFailed] = useState(false);
  const kept = drawing?.picture;
  useEffect(() => {
    let isOver = false;
    let url: string | undefined;
    const read = async () => {
      const picture = kept ?? (await fileBytes(clock, sessionId, sha256));
      const bitmap = await createImageBitmap(picture);
      if (isOver) return;
      url = URL.createObjectURL(picture);
      setSource({ picture, bitmap, url });
    };
    read().catch(() => setFailed(true));
    return () => {
      isOver = true;
      if (url !== undefined) URL.revokeObjectURL(url);
    };
  }, [clock, sessionId, sha256, kept]);
  return [source, failed];
}
