import type { Point, Size } from "../pictures/zoom.ts";

export const tools = ["arrow", "box", "pen", "blur"] as const;
export type Tool = (typeof tools)[number];

/** In pixels of the picture. A pen has all points of its line, the others their first and last. */
export interface Mark {
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

/** Pixels that a phone's browser still draws. */
const maxPixels = 16_000_000;

/** Adds a point to a mark. */
export const extended = ({ tool, points }: Mark, point: Point): Mark => ({
  tool,
  points: tool === "pen" ? [...points, point] : [points[0] ?? point, point],
});

/** Whether a mark is large enough to be meant, not a click; `unit` as of `unitOf`. */
export function isMeant({ tool, points }: Mark, unit: number): boolean {
  const { width, height } = boxOf(points);
  return tool === "pen" || Math.hypot(width, height) >= 2 * unit;
}

/** The width of a line in pixels of the picture: as visible in a small picture as in a large one. */
export const unitOf = ({ width, height }: Size): number => Math.max(2, Math.max(width, height) / 250);

/** Draws marks on a context in pixels of the picture. What is blurred is below the others. */
export function drawMarks(context: CanvasRenderingContext2D, picture: CanvasImageSource & Size, marks: readonly Mark[]): void {
  const unit = unitOf(picture);
  for (const { tool, points } of marks) if (tool === "blur") blur(context, picture, boxOf(points), unit);
  context.lineCap = context.lineJoin = "round";
  for (const mark of marks) {
    if (mark.tool === "blur") continue;
    stroke(context, pathOf(mark, unit), "#d4202f", unit);
  }
}

/** Draws the cross that the arrow keys move. */
export function drawCross(context: CanvasRenderingContext2D, picture: Size, { x, y }: Point): void {
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
export async function drawnFile(name: string, picture: ImageBitmap, { picture: { type }, marks }: Drawing): Promise<File | undefined> {
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
