/** The colours of the terminal inbox: what a piece of text can be, the style that a theme gives it, and how many colours a terminal has. */

/** What a piece of text is; a theme decides its style. */
const tokens = [
  "text",
  "dim",
  "heading",
  "accent",
  "success",
  "warning",
  "error",
  "border",
  "selection",
  "recommended",
  "link",
  "code",
  "codeKeyword",
  "codeString",
  "codeNumber",
  "codeComment",
  "codeName",
] as const;
export type Token = (typeof tokens)[number];

/**
 * A theme: a style for each token, such as `bold cyan`, `#ff8800`, `214`, `dim`, `black on yellow`. The defaults use the terminal's own
 * sixteen colours, which users have set up to be readable on their background.
 */
export type Theme = Readonly<Record<Token, string>>;

const defaultTheme: Theme = Object.freeze({
  text: "",
  dim: "dim",
  heading: "bold",
  accent: "cyan",
  success: "green",
  warning: "yellow",
  error: "red",
  border: "dim",
  selection: "bold cyan",
  recommended: "green",
  link: "underline",
  code: "magenta",
  codeKeyword: "blue",
  codeString: "green",
  codeNumber: "magenta",
  codeComment: "dim",
  codeName: "cyan",
});

/** The theme with the user's own tokens, and a message for each invalid one. */
export function themeWith(own: Readonly<Record<string, string>> = {}): { theme: Theme; warnings: string[] } {
  // keys: only the tokens of the default theme get here.
  const theme: Record<string, string> = { ...defaultTheme };
  const warnings: string[] = [];
  for (const [name, style] of Object.entries(own)) {
    if (!Object.hasOwn(defaultTheme, name)) warnings.push(`theme.${name} is not a token; the tokens are ${tokens.join(", ")}.`);
    else if (parseStyle(style) === undefined)
      warnings.push(`theme.${name} is not a colour; use a style such as "bold cyan", "#ff8800" or "black on yellow".`);
    else theme[name] = style;
  }
  return { theme: theme as Theme, warnings };
}

export type Color = { kind: "ansi"; index: number } | { kind: "rgb"; red: number; green: number; blue: number };

export interface TextStyle {
  attributes: readonly number[];
  foreground?: Color;
  background?: Color;
}

const attributes: Readonly<Record<string, number>> = { bold: 1, dim: 2, italic: 3, underline: 4, inverse: 7, strikethrough: 9 };
const names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

/** Parses a style; undefined if it is invalid. */
export function parseStyle(words: string): TextStyle | undefined {
  const found: number[] = [];
  const style: { foreground?: Color; background?: Color } = {};
  let place: "foreground" | "background" = "foreground";
  for (const word of words.split(/\s+/).filter((part) => part !== "")) {
    const attribute = Object.hasOwn(attributes, word) ? attributes[word] : undefined;
    const color = parseColor(word);
    if (word === "on") place = "background";
    else if (attribute !== undefined) found.push(attribute);
    else if (color !== undefined) style[place] = color;
    else return undefined;
  }
  return { attributes: found, ...style };
}

function parseColor(word: string): Color | undefined {
  const bright = word.startsWith("bright-");
  const index = names.indexOf(bright ? word.slice("bright-".length) : word);
  if (index >= 0) return { kind: "ansi", index: index + (bright ? 8 : 0) };
  if (word === "gray" || word === "grey") return { kind: "ansi", index: 8 };
  if (/^\d{1,3}$/.test(word) && Number(word) < 256) return { kind: "ansi", index: Number(word) };
  const rgb = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(word);
  if (rgb === null) return undefined;
  const [red = 0, green = 0, blue = 0] = rgb.slice(1).map((part) => Number.parseInt(part, 16));
  return { kind: "rgb", red, green, blue };
}

/** How many colours the terminal shows: none, 16, 256, or all. */
export type ColorDepth = "none" | "16" | "256" | "all";

type Environment = Readonly<Record<string, string | undefined>>;

/** `NO_COLOR` (https://no-color.org) counts if it is not empty; `FORCE_COLOR` takes precedence, as in Node. */
export function colorDepthOf(env: Environment): ColorDepth {
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined) return (Object.hasOwn(forcedDepths, forced) ? forcedDepths[forced] : undefined) ?? "16";
  if (env["NO_COLOR"] !== undefined && env["NO_COLOR"] !== "") return "none";
  const term = env["TERM"] ?? "";
  if (term === "dumb") return "none";
  if (/^(truecolor|24bit)$/.test(env["COLORTERM"] ?? "") || /-direct$/.test(term)) return "all";
  return /256/.test(term) ? "256" : "16";
}

const forcedDepths: Readonly<Record<string, ColorDepth>> = {
  "0": "none",
  false: "none",
  "1": "16",
  true: "16",
  "": "16",
  "2": "256",
  "3": "all",
};
