import { styleText } from "node:util";
import type { Output } from "../io.ts";

export type Style = Parameters<typeof styleText>[0];
export type Paint = (style: Style, text: string) => string;

/** Styles text for an output, or leaves it plain if colours are off. */
export function paintFor(output: Pick<Output, "hasColors">): Paint {
  return (style, text) => (output.hasColors ? styleText(style, text, { validateStream: false }) : text);
}
