/** A key as labelled on keyboards: `Ctrl Enter`, `Alt r`. */
export const keyLabel = (key: string): string =>
  key
    .replace("escape", "esc")
    .split("+")
    .map((part) => (part.length > 1 ? part.slice(0, 1).toUpperCase() + part.slice(1) : part))
    .join(" ");
