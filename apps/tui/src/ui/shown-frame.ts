import type { App } from "../app/app.ts";
import { type Frame, FrameMaker, type FrameOptions } from "../rows/frame.ts";
import type { Painter } from "../text/painter.ts";
import { beside, emptyRow, type Row } from "../text/row.ts";

/** Milliseconds between updates of ages and deadlines. */
const tick = 1_000;

/** A rendered frame. */
export interface Shown {
  readonly lines: readonly string[];
  readonly cursor: Frame["cursor"];
}

/**
 * The current frame, for `useSyncExternalStore`: the same object as long as it looks the same. Ink redraws a whole frame on every render, and keys
 * wait meanwhile; many events, such as the app's own drafts echoed by the hub, change nothing on the screen.
 */
export class ShownFrame {
  readonly #app: App;
  readonly #painter: Painter;
  readonly #maker = new FrameMaker();
  readonly #listeners = new Set<() => void>();
  #shown: Shown | undefined;
  #madeOf: string | undefined;
  #touches = 0;

  constructor(app: App, painter: Painter) {
    this.#app = app;
    this.#painter = painter;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    const stop = this.#app.subscribe(listener);
    return () => {
      stop();
      this.#listeners.delete(listener);
    };
  };

  /** Forces a new frame after a change that the app doesn't see, such as the time. */
  touch(): void {
    this.#touches += 1;
    for (const listener of this.#listeners) listener();
  }

  /** Updates ages and deadlines, and keeps the process alive, until the returned function is called. */
  keepTime(): () => void {
    const { clock } = this.#app.options;
    const letEnd = clock.stayAlive?.();
    let cancel = (): void => {};
    const arm = () => {
      cancel = clock.setTimer(tick, () => {
        arm();
        this.touch();
      });
    };
    arm();
    return () => {
      cancel();
      letEnd?.();
    };
  }

  at(options: FrameOptions): Shown {
    const { columns, rows, plain } = options;
    const madeOf = [this.#app.getVersion(), this.#touches, columns, rows, plain].join(" ");
    if (this.#shown !== undefined && madeOf === this.#madeOf) return this.#shown;
    this.#madeOf = madeOf;
    const frame = this.#maker.frame(this.#app, options);
    const lines = (plain ? spoken(frame) : drawn(frame)).map((row) => this.#painter.paint(row));
    const next = { lines, cursor: plain ? undefined : frame.cursor };
    if (this.#shown === undefined || !looksAlike(this.#shown, next)) this.#shown = next;
    return this.#shown;
  }
}

/** One row per row of the screen, across all panes, since Ink's work per frame grows with the number of texts. */
function drawn({ bar, panes, height, hint }: Frame): Row[] {
  const lines = Array.from({ length: height }, (_, index) =>
    beside(panes.map(({ rows, width }) => ({ row: rows[index] ?? emptyRow, width }))),
  );
  return [...(bar === undefined ? [] : [bar]), ...lines, hint];
}

/** For a screen reader: the rows one after the other, without empty ones. */
function spoken({ bar, panes, hint }: Frame): Row[] {
  return [...(bar === undefined ? [] : [bar]), ...panes.flatMap(({ rows }) => rows), hint].filter((row) => row.length > 0);
}

function looksAlike(one: Shown, other: Shown): boolean {
  return (
    one.cursor?.x === other.cursor?.x &&
    one.cursor?.y === other.cursor?.y &&
    one.lines.length === other.lines.length &&
    one.lines.every((text, index) => text === other.lines[index])
  );
}
