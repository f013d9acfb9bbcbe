import { type Color, type ColorDepth, parseStyle, type TextStyle, type Theme, type Token } from "../theme/theme.ts";
import type { Row, Span } from "./row.ts";

/** Renders rows as text with SGR sequences, which are only created here. */
export interface Painter {
  paint(row: Row): string;
}

export function createPainter(theme: Theme, depth: ColorDepth): Painter {
  const styles = new Map<string, string>();
  const sgrOf = ({ token = "text", strong, emphasis, strike, reverse }: Span): string => {
    const key = `${token}${strong ? "+b" : ""}${emphasis ? "+i" : ""}${strike ? "+s" : ""}${reverse ? "+r" : ""}`;
    const known = styles.get(key);
    if (known !== undefined) return known;
    const codes = codesOf(parseStyle(theme[token as Token]) ?? { attributes: [] }, depth);
    if (strong) codes.push("1");
    if (emphasis) codes.push("3");
    if (strike) codes.push("9");
    if (reverse) codes.push("7");
    const sgr = [...new Set(codes)].join(";");
    styles.set(key, sgr);
    return sgr;
  };
  return {
    paint(row) {
      let text = "";
      for (const span of row) {
        if (span.text === "") continue;
        const sgr = sgrOf(span);
        text += sgr === "" ? span.text : `\u001b[${sgr}m${span.text}\u001b[0m`;
      }
      return text;
    },
  };
}

/** Bold, dim, inverse and the like are not colours, so they stay without colours. */
function codesOf({ attributes, foreground, background }: TextStyle, depth: ColorDepth): string[] {
  const codes = attributes.map(String);
  if (depth === "none") return codes;
  if (foreground !== undefined) codes.push(colorCode(foreground, depth, 30));
  if (background !== undefined) codes.push(colorCode(background, depth, 40));
  return codes;
}

/** `base` is 30 for the foreground, 40 for the background. */
function colorCode(color: Color, depth: ColorDepth, base: number): string {
  if (color.kind === "rgb" && depth === "all") return `${base + 8};2;${color.red};${color.green};${color.blue}`;
  const index = color.kind === "ansi" ? color.index : depth === "16" ? nearestOfSixteen(color) : nearestOf256(color);
  if (index < 8) return String(base + index);
  if (index < 16) return String(base + 60 + index - 8);
  return depth === "16" ? String(base + 7) : `${base + 8};5;${index}`;
}

function nearestOf256({ red, green, blue }: { red: number; green: number; blue: number }): number {
  // The cube's steps are 0, 95, 135, 175, 215 and 255.
  const step = (part: number) => (part < 48 ? 0 : part < 115 ? 1 : Math.floor((part - 35) / 40));
  return 16 + 36 * step(red) + 6 * step(green) + step(blue);
}

function nearestOfSixteen({ red, green, blue }: { red: number; green: number; blue: number }): number {
  const brightest = Math.max(red, green, blue);
  if (brightest < 64) return 0;
  const part = (value: number, bit: number) => (value > brightest / 2 ? bit : 0);
  return part(red, 1) + part(green, 2) + part(blue, 4) + (brightest > 200 ? 8 : 0);
}
