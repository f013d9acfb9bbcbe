import type { PaletteCommand } from "../model/palette.ts";
import { line, type Row, span } from "../text/row.ts";

export interface PaletteView {
  commands: readonly PaletteCommand[];
  /** The one that Enter runs. */
  at: number;
  width: number;
  height: number;
  plain: boolean;
}

/** The commands around the selected one, one row each. */
export function paletteRows({ commands, at, width, height, plain }: PaletteView): Row[] {
  const top = Math.max(0, Math.min(at - Math.floor(height / 2), commands.length - height));
  return commands.slice(top, top + height).map(({ label, detail }, index) => {
    const isAt = top + index === at;
    const mark = span(isAt ? (plain ? "current: " : "› ") : "  ", "accent");
    return line([mark, span(label, isAt ? "selection" : undefined), ...(detail === undefined ? [] : [span(`  ${detail}`, "dim")])], width);
  });
}
