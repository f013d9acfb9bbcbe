type Environment = Readonly<Record<string, string | undefined>>;

/** How a terminal takes pictures: kitty's graphics protocol, or iTerm2's inline images. */
export type PictureProtocol = "kitty" | "iterm";

/** How this terminal takes pictures, by its environment; undefined if it doesn't. A multiplexer in between would not pass them on. */
export function pictureProtocol(env: Environment): PictureProtocol | undefined {
  const { TERM: term = "", TERM_PROGRAM: program = "" } = env;
  if (env["TMUX"] !== undefined || env["STY"] !== undefined || /^(screen|tmux)/.test(term)) return undefined;
  if (program === "iTerm.app" || program === "WezTerm") return "iterm";
  const isKitty = program === "ghostty" || term === "xterm-ghostty" || term === "xterm-kitty" || env["KITTY_WINDOW_ID"] !== undefined;
  return isKitty ? "kitty" : undefined;
}

const esc = "\u001b";
const st = `${esc}\\`;
/** The only picture that is on the screen. */
const id = 4_217;
/** The most characters of one of kitty's sequences. */
const chunk = 4_096;

/** Where a picture is shown, in cells; `row` and `column` count from 1. */
export interface PicturePlace {
  row: number;
  column: number;
  columns: number;
  rows: number;
}

/** Shows a PNG in a place that has its proportions. Nothing of it is in the sequences but its base64. */
export function pictureSequence(protocol: PictureProtocol, png: Uint8Array, { row, column, columns, rows }: PicturePlace): string {
  const data = Buffer.from(png).toString("base64");
  const to = `${esc}[${row};${column}H`;
  if (protocol === "iterm") {
    const how = `inline=1;size=${png.length};width=${columns};height=${rows};preserveAspectRatio=1;doNotMoveCursor=1`;
    return `${to}${esc}]1337;File=${how}:${data}\u0007`;
  }
  const parts: string[] = [];
  for (let at = 0; at < data.length; at += chunk) {
    const first = at === 0 ? `a=T,f=100,i=${id},c=${columns},r=${rows},C=1,q=2,` : "";
    parts.push(`${esc}_G${first}m=${at + chunk < data.length ? 1 : 0};${data.slice(at, at + chunk)}${st}`);
  }
  return `${to}${parts.join("")}`;
}

/** Removes the picture from the screen and from the terminal's memory. iTerm2's are part of the cells, and go with them. */
export const noPicture = (protocol: PictureProtocol): string => (protocol === "kitty" ? `${esc}_Ga=d,d=I,i=${id},q=2${st}` : "");

/** Asks for the size of a cell, which not every terminal answers. */
export const cellQuery = `${esc}[16t`;

const cellReply = /\p{Cc}\[6;(\d{1,4});(\d{1,4})t/gu;

/** What the terminal has answered to `cellQuery`, the cell's size in pixels, and the keys around the answer. */
export function readReplies(input: string): { cell?: { width: number; height: number }; keys: string } {
  const [[, height, width] = []] = [...input.matchAll(cellReply)];
  const keys = input.replace(cellReply, "");
  return Number(width) > 0 && Number(height) > 0 ? { cell: { width: Number(width), height: Number(height) }, keys } : { keys };
}

const pngStart = "89504e470d0a1a0a0000000d49484452";

/** The size of a PNG by its header; undefined if it is none, or is larger than what a hub sends. */
export function pngSize(bytes: Uint8Array): { width: number; height: number } | undefined {
  const head = Buffer.from(bytes.subarray(0, 24));
  if (head.length < 24 || bytes.length > 1_000_000 || head.subarray(0, 16).toString("hex") !== pngStart) return undefined;
  const [width, height] = [head.readUInt32BE(16), head.readUInt32BE(20)];
  return width > 0 && height > 0 && width <= 4_000 && height <= 4_000 ? { width, height } : undefined;
}

/** The largest place for a picture of this size in a window, in the middle of it, no larger than its pixels. */
export function placeFor(
  size: { width: number; height: number },
  cell: { width: number; height: number },
  window: { columns: number; rows: number; top: number },
): PicturePlace {
  const room = { width: window.columns * cell.width, height: window.rows * cell.height };
  const scale = Math.min(1, room.width / size.width, room.height / size.height);
  const columns = Math.max(1, Math.min(window.columns, Math.round((size.width * scale) / cell.width)));
  const rows = Math.max(1, Math.min(window.rows, Math.round((size.height * scale) / cell.height)));
  return { row: window.top, column: 1 + Math.floor((window.columns - columns) / 2), columns, rows };
}
