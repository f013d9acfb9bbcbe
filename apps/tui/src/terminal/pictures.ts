/**
 * Pictures in a terminal: whether this one shows them, the control sequences of both protocols, and a viewer with a screen of its own.
 *
 * The environment says which protocol a terminal speaks; elsewhere pictures are named, and shown in the browser. A viewer is lent the terminal,
 * asks for the size of a cell, and draws one picture at a time, as large as its pixels or the window.
 *
 * What can go wrong: a picture that the hub no longer has, or something else than a PNG, is a sentence in its place; a terminal that does not
 * answer gets a usual cell; a picture that arrives after another was chosen, or the viewer was closed, is not drawn. Only base64 and sequences of
 * our own reach the terminal, never an agent's bytes.
 */
import { terminalLine, truncateLine } from "@askbox/terminal-text";

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

/** A picture that can be viewed. */
export interface ViewedPicture {
  /** What is said about it, in one line. */
  caption: string;
  /** A PNG. Rejects with the sentence that says why there is none. */
  load(): Promise<Uint8Array>;
}

interface ViewerOptions {
  protocol: PictureProtocol;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  write(text: string): boolean;
  /** Closes it. */
  signal: AbortSignal;
}

export const esc = "\u001b";
const st = `${esc}\\`;

const [enter, leave] = [`${esc}[?1049h${esc}[?25l`, `${esc}[?25h${esc}[?1049l`];
const cleared = `${esc}[2J${esc}[H`;
/** A cell's size in pixels, if the terminal doesn't say: most are twice as high as wide. */
const usualCell = { width: 10, height: 20 };

const keys: Readonly<Record<string, "next" | "previous" | "browser" | "close">> = {
  n: "next",
  l: "next",
  j: "next",
  "\t": "next",
  " ": "next",
  [`${esc}[C`]: "next",
  [`${esc}[B`]: "next",
  p: "previous",
  h: "previous",
  k: "previous",
  [`${esc}[D`]: "previous",
  [`${esc}[A`]: "previous",
  v: "browser",
  q: "close",
  [esc]: "close",
  "\r": "close",
  "\u0003": "close",
};

/**
 * Shows pictures one by one on a screen of its own, which it leaves as if it had not been there; the caller has lent it the terminal. Resolves
 * with whether the person wants to see them in the browser instead.
 */
export async function viewPictures(pictures: readonly ViewedPicture[], options: ViewerOptions): Promise<"closed" | "browser"> {
  const { protocol, stdin, stdout, write, signal } = options;
  const { promise, resolve } = Promise.withResolvers<"closed" | "browser">();
  let cell = usualCell;
  let at = 0;
  const loaded = new Map<number, Uint8Array>();
  let shown: { at: number; png?: Uint8Array; problem?: string } = { at: -1 };

  const draw = () => {
    const { columns = 80, rows = 24 } = stdout;
    const caption = pictures[at]?.caption ?? "";
    const number = pictures.length > 1 ? `${at + 1} of ${pictures.length}: ` : "";
    const hints = `esc back · ${pictures.length > 1 ? "n, p others · " : ""}v browser`;
    const body = shown.at !== at ? "Loading…" : (shown.problem ?? "");
    const size = shown.at === at && shown.png !== undefined ? pngSize(shown.png) : undefined;
    const lines = [`${number}${caption}`, body, hints].map((line) => truncateLine(terminalLine(line), columns));
    write(`${noPicture(protocol)}${cleared}${lines[0]}${esc}[2;1H${lines[1]}${esc}[${rows};1H${lines[2]}`);
    if (size === undefined || shown.png === undefined || rows < 4) return;
    write(pictureSequence(protocol, shown.png, placeFor(size, cell, { columns, rows: rows - 3, top: 2 })));
  };
  const show = (index: number) => {
    at = Math.max(0, Math.min(pictures.length - 1, index));
    draw();
    const wanted = at;
    const arrived = (result: { png?: Uint8Array; problem?: string }) => {
      if (wanted !== at || signal.aborted) return;
      shown = { at, ...result };
      draw();
    };
    const known = loaded.get(at);
    if (known !== undefined) return arrived({ png: known });
    void pictures[at]?.load().then(
      (png) => {
        loaded.set(wanted, png);
        arrived(pngSize(png) === undefined ? { problem: "The hub sent something else than a PNG." } : { png });
      },
      (error: unknown) => arrived({ problem: error instanceof Error ? error.message : String(error) }),
    );
  };
  const onReadable = () => {
    let input = "";
    // To the end, so that the stream goes on reading, for Ink too.
    for (let piece = stdin.read(); piece !== null; piece = stdin.read()) input += String(piece);
    const replies = readReplies(input);
    if (replies.cell !== undefined) {
      cell = replies.cell;
      draw();
    }
    for (const key of keysIn(replies.keys)) {
      const action = Object.hasOwn(keys, key) ? keys[key] : undefined;
      if (action === "next") show(at + 1);
      else if (action === "previous") show(at - 1);
      else if (action !== undefined) resolve(action === "browser" ? "browser" : "closed");
    }
  };
  const close = () => resolve("closed");

  stdin.setRawMode?.(true);
  stdin.on("readable", onReadable);
  stdin.ref();
  stdout.on("resize", draw);
  signal.addEventListener("abort", close, { once: true });
  write(`${enter}${cellQuery}`);
  show(0);
  if (signal.aborted) close();
  try {
    return await promise;
  } finally {
    stdin.off("readable", onReadable);
    stdin.setRawMode?.(false);
    stdout.off("resize", draw);
    signal.removeEventListener("abort", close);
    at = -1;
    write(`${noPicture(protocol)}${cleared}${leave}`);
  }
}

/** The keys in what the terminal sent: characters, Escape, and sequences such as that of an arrow. */
function keysIn(input: string): string[] {
  const [typed = "", ...escaped] = input.split(esc);
  const rest = escaped.flatMap((part) => {
    if (part === "") return [esc];
    const [sequence] = /^\[[\d;?<=>]*[A-Za-z~]/.exec(part) ?? [];
    // Anything else is a key with Alt.
    return sequence === undefined ? [...part.slice(1)] : [esc + sequence, ...part.slice(sequence.length)];
  });
  return [...typed, ...rest];
}

/** The only picture that is on the screen. */
const id = 4_217;
/** The most characters of one of kitty's sequences. */
const chunk = 4_096;

/** Where a picture is shown, in cells; `row` and `column` count from 1. */
interface PicturePlace {
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
const cellQuery = `${esc}[16t`;

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
