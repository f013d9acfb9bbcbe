type Environment = Readonly<Record<string, string | undefined>>;

/** How a terminal takes pictures: kitty's graphics protocol, iTerm2's inline images, or sixels. */
export type PictureProtocol = "kitty" | "iterm" | "sixel";

/**
 * How this terminal takes pictures, as far as its environment says: `ask` where only the terminal itself knows whether it has sixels. A
 * multiplexer in between would not pass them on.
 */
export function pictureProtocol(env: Environment): PictureProtocol | "ask" | undefined {
  const { TERM: term = "", TERM_PROGRAM: program = "" } = env;
  if (env["TMUX"] !== undefined || env["STY"] !== undefined || /^(screen|tmux)/.test(term)) return undefined;
  if (program === "iTerm.app" || program === "WezTerm") return "iterm";
  if (program === "ghostty" || term === "xterm-ghostty" || term === "xterm-kitty" || env["KITTY_WINDOW_ID"] !== undefined) return "kitty";
  if (env["WT_SESSION"] !== undefined) return "ask";
  // These can't, and may not answer.
  return program === "Apple_Terminal" || term === "dumb" || term === "linux" || term === "" ? undefined : "ask";
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
export function pictureSequence(
  protocol: Exclude<PictureProtocol, "sixel">,
  png: Uint8Array,
  { row, column, columns, rows }: PicturePlace,
): string {
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

/** Removes the picture from the screen and from the terminal's memory. iTerm2's and sixels are part of the cells, and go with them. */
export const noPicture = (protocol: PictureProtocol): string => (protocol === "kitty" ? `${esc}_Ga=d,d=I,i=${id},q=2${st}` : "");

/** Asks for the size of a cell, which not every terminal answers. */
export const cellQuery = `${esc}[16t`;

/** Asks what the terminal can do, DA1, which nearly every terminal answers. */
export const deviceQuery = `${esc}[c`;

const cellReply = /\p{Cc}\[6;(\d{1,4});(\d{1,4})t/gu;
const deviceReply = /\p{Cc}\[\?([\d;]{1,100})c/gu;

interface Replies {
  /** The cell's size in pixels. */
  cell?: { width: number; height: number };
  /** Whether it draws sixels: attribute 4. */
  hasSixels?: boolean;
  /** The keys between the answers. */
  keys: string;
}

/** What the terminal has answered to `cellQuery` and `deviceQuery`. */
export function readReplies(input: string): Replies {
  const [[, height, width] = []] = [...input.matchAll(cellReply)];
  const [device] = [...input.matchAll(deviceReply)];
  const keys = input.replace(cellReply, "").replace(deviceReply, "");
  return {
    ...(Number(width) > 0 && Number(height) > 0 && { cell: { width: Number(width), height: Number(height) } }),
    // The first number is the terminal's class.
    ...(device !== undefined && { hasSixels: (device[1] ?? "").split(";").slice(1).includes("4") }),
    keys,
  };
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
