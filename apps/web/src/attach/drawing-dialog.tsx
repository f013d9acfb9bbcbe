/**
 * Drawing on a picture before it is sent: lines, arrows, boxes, and parts that are hidden.
 *
 * The dialog shows the picture with its marks and adds one for each drag or key; a mark can be taken back. Marks are data, in pixels of the
 * picture: they are drawn on the screen as on the file, and can be changed when the drawing is opened again.
 *
 * What can go wrong: the picture can't be loaded (the dialog says so), or has more pixels than a canvas takes (it is drawn smaller). What is
 * hidden becomes a few squares of one colour each, from which no text can be computed back.
 */
import type { AnswerFile } from "@askbox/core/questions";
import { useAskbox } from "@askbox/react";
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useLayoutEffect, useReducer, useRef, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { fittingScale, type Point, type Size, useRoom } from "../pictures/zoom.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Key } from "../ui/key-hint.tsx";
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

/** In pixels of the picture. A pen has all points of its line, the others their first and last. */
interface Mark {
  tool: Tool;
  points: readonly Point[];
}

/** A picture as it was attached first, and what was drawn on it. */
export interface Drawing {
  picture: Blob;
  marks: readonly Mark[];
  /** Those that are in the attached picture by now. */
  attached: readonly Mark[];
}

const tools = ["arrow", "box", "pen", "blur"] as const;
type Tool = (typeof tools)[number];

/** Pixels that a phone's browser still draws. */
const maxPixels = 16_000_000;

/** Adds a point to a mark. */
const extended = ({ tool, points }: Mark, point: Point): Mark => ({
  tool,
  points: tool === "pen" ? [...points, point] : [points[0] ?? point, point],
});

/** Whether a mark is large enough to be meant, not a click; `unit` as of `unitOf`. */
function isMeant({ tool, points }: Mark, unit: number): boolean {
  const { width, height } = boxOf(points);
  return tool === "pen" || Math.hypot(width, height) >= 2 * unit;
}

/** The width of a line in pixels of the picture: as visible in a small picture as in a large one. */
const unitOf = ({ width, height }: Size): number => Math.max(2, Math.max(width, height) / 250);

/** Draws marks on a context in pixels of the picture. What is blurred is below the others. */
function drawMarks(context: CanvasRenderingContext2D, picture: CanvasImageSource & Size, marks: readonly Mark[]): void {
  const unit = unitOf(picture);
  for (const { tool, points } of marks) if (tool === "blur") blur(context, picture, boxOf(points), unit);
  context.lineCap = context.lineJoin = "round";
  for (const mark of marks) {
    if (mark.tool === "blur") continue;
    stroke(context, pathOf(mark, unit), "#d4202f", unit);
  }
}

/** Draws the cross that the arrow keys move. */
function drawCross(context: CanvasRenderingContext2D, picture: Size, { x, y }: Point): void {
  const unit = unitOf(picture);
  const length = 6 * unit;
  stroke(context, new Path2D(`M${x - length} ${y}H${x + length}M${x} ${y - length}V${y + length}`), "#000000", unit);
}

/** White on both sides, so that it is visible on any picture. */
function stroke(context: CanvasRenderingContext2D, path: Path2D, color: string, width: number): void {
  context.strokeStyle = "#ffffff";
  context.lineWidth = 2 * width;
  context.stroke(path);
  context.strokeStyle = color;
  context.lineWidth = width;
  context.stroke(path);
}

function pathOf({ tool, points }: Mark, unit: number): Path2D {
  const path = new Path2D();
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return path;
  if (tool === "box") {
    const { x, y, width, height } = boxOf(points);
    path.rect(x, y, width, height);
    return path;
  }
  path.moveTo(first.x, first.y);
  for (const { x, y } of points) path.lineTo(x, y);
  if (tool === "pen") return path;
  const angle = Math.atan2(last.y - first.y, last.x - first.x);
  const length = Math.min(8 * unit, Math.hypot(last.x - first.x, last.y - first.y) / 2);
  for (const turn of [-1, 1]) {
    path.moveTo(last.x, last.y);
    path.lineTo(last.x - length * Math.cos(angle + (turn * Math.PI) / 6), last.y - length * Math.sin(angle + (turn * Math.PI) / 6));
  }
  return path;
}

/** Replaces a region by few large squares, each of one colour: unlike a soft blur, that can't be computed back to a text. */
function blur(context: CanvasRenderingContext2D, picture: CanvasImageSource & Size, region: Region, unit: number): void {
  const x = Math.max(0, Math.floor(region.x));
  const y = Math.max(0, Math.floor(region.y));
  const width = Math.min(picture.width, Math.ceil(region.x + region.width)) - x;
  const height = Math.min(picture.height, Math.ceil(region.y + region.height)) - y;
  if (width <= 0 || height <= 0) return;
  const square = Math.max(4 * unit, Math.min(width, height) / 4);
  const small = document.createElement("canvas");
  small.width = Math.max(1, Math.round(width / square));
  small.height = Math.max(1, Math.round(height / square));
  const squares = small.getContext("2d");
  if (squares === null) return;
  squares.imageSmoothingQuality = "high";
  squares.drawImage(picture, x, y, width, height, 0, 0, small.width, small.height);
  context.imageSmoothingEnabled = false;
  context.drawImage(small, x, y, width, height);
}

interface Region extends Point, Size {}

/** Between the ends of a mark. */
function boxOf(points: readonly Point[]): Region {
  const [first = { x: 0, y: 0 }, last = first] = [points[0], points.at(-1)];
  const [x, y] = [Math.min(first.x, last.x), Math.min(first.y, last.y)];
  return { x, y, width: Math.abs(last.x - first.x), height: Math.abs(last.y - first.y) };
}

/** The picture with its marks, as a file of the same name and, if it is a JPEG, of the same type; without what a camera wrote into it. */
async function drawnFile(name: string, picture: ImageBitmap, { picture: { type }, marks }: Drawing): Promise<File | undefined> {
  const scale = Math.min(1, Math.sqrt(maxPixels / (picture.width * picture.height)));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.floor(picture.width * scale));
  canvas.height = Math.max(1, Math.floor(picture.height * scale));
  const context = canvas.getContext("2d");
  if (context === null) return undefined;
  context.scale(canvas.width / picture.width, canvas.height / picture.height);
  context.drawImage(picture, 0, 0);
  drawMarks(context, picture, marks);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, type === "image/jpeg" ? type : "image/png", 0.9));
  if (blob === null) return undefined;
  return new File([blob], blob.type === type ? name : `${name.replace(/\.\w{1,8}$/, "")}.png`, { type: blob.type });
}
