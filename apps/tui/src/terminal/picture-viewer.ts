import { terminalLine, truncateLine } from "@askbox/terminal-text";
import { cellQuery, noPicture, type PictureProtocol, pictureSequence, placeFor, pngSize, readReplies } from "./picture-signs.ts";

/** A picture that can be looked at. */
export interface ViewedPicture {
  /** What is said about it, in one line. */
  caption: string;
  /** A PNG. Rejects with the sentence that says why there is none. */
  load(): Promise<Uint8Array>;
}

export interface ViewerOptions {
  protocol: PictureProtocol;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  write(text: string): boolean;
  /** Closes it. */
  signal: AbortSignal;
}

const esc = "\u001b";
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
