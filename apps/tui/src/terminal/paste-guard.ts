import type { CancelTimer, Clock } from "@askbox/core";

const begin = "\u001b[200~";
const end = "\u001b[201~";
/** Ctrl-C and Escape, alone: no terminal passes them on in a paste. */
const leaving = ["\u0003", "\u001b", "\u001b[99;5u", "\u001b[27u"];
/** Milliseconds without a further piece of it, after which a paste without its end is over. */
const quiet = 2_000;

/**
 * The terminal's input, in which each paste has an end. A terminal or a connection can lose the marker at the end of a paste, and Ink would
 * then take everything that is typed for a part of it, Ctrl-C included. Such a paste ends after two seconds without more of it, or with
 * Ctrl-C or Escape. If its end arrives later, what came before it still counts as pasted, since keys could answer.
 */
export function pasteGuard(stdin: NodeJS.ReadStream, clock: Clock): NodeJS.ReadStream {
  let isOpen = false;
  let wasCut = false;
  /** The last characters, which may be the start of a marker. */
  let tail = "";
  let queued = "";
  let cancel: CancelTimer = () => {};
  const take = (piece: string): string => {
    cancel();
    if (isOpen && leaving.includes(piece)) {
      [isOpen, tail] = [false, ""];
      return end + piece;
    }
    const text = tail + piece;
    const [lastBegin, lastEnd] = [text.lastIndexOf(begin), text.lastIndexOf(end)];
    const isLate = wasCut && lastEnd >= 0 && !text.slice(0, text.indexOf(end)).includes(begin);
    if (lastBegin >= 0 || lastEnd >= 0) {
      isOpen = lastBegin > lastEnd;
      wasCut = false;
    }
    tail = text.slice(1 - begin.length);
    if (isOpen) cancel = clock.setTimer(quiet, cut);
    return isLate ? begin + piece : piece;
  };
  const cut = () => {
    [isOpen, wasCut, tail, queued] = [false, true, "", end];
    stdin.emit("readable");
  };
  const read = (): unknown => {
    if (queued !== "") {
      const text = queued;
      queued = "";
      return text;
    }
    const piece: unknown = stdin.read();
    return piece === null ? null : take(String(piece));
  };
  return new Proxy(stdin, {
    get(target, name) {
      if (name === "read") return read;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
