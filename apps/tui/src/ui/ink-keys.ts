import type { Key as InkKey } from "ink";
import type { KeyPress } from "../editor/editor.ts";

const named = [
  ["upArrow", "up"],
  ["downArrow", "down"],
  ["leftArrow", "left"],
  ["rightArrow", "right"],
  ["pageUp", "pageup"],
  ["pageDown", "pagedown"],
  ["home", "home"],
  ["end", "end"],
  ["return", "enter"],
  ["escape", "escape"],
  ["tab", "tab"],
  ["backspace", "backspace"],
  ["delete", "delete"],
] as const;

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The keys in one input event of Ink: a terminal sends several at once if they come fast, and an input method sends whole words. */
export function keysOf(input: string, key: InkKey): KeyPress[] {
  if (key.eventType === "release") return [];
  const modifiers = `${key.ctrl ? "ctrl+" : ""}${key.meta && !key.escape ? "alt+" : ""}${key.super ? "super+" : ""}`;
  const special = named.find(([flag]) => key[flag]);
  if (special !== undefined) return [{ name: `${modifiers}${key.shift ? "shift+" : ""}${special[1]}` }];
  if (input === "") return [];
  if (modifiers !== "") return [{ name: `${modifiers}${input === " " ? "space" : input.toLowerCase()}` }];
  return typed(input);
}

function typed(input: string): KeyPress[] {
  const keys: KeyPress[] = [];
  for (const { segment } of segmenter.segment(input)) {
    if (segment === "\r") keys.push({ name: "enter" });
    else if (segment === "\n" || segment === "\r\n") keys.push({ name: "ctrl+j" });
    else if (segment === "\t") keys.push({ name: "tab" });
    else if (/^\p{Cc}$/u.test(segment)) keys.push(...controlKey(segment));
    else keys.push({ name: segment === " " ? "space" : segment, text: segment });
  }
  return keys;
}

/** Ctrl and a letter, if it arrived together with text. */
function controlKey(control: string): KeyPress[] {
  const code = control.charCodeAt(0);
  return code >= 1 && code <= 26 ? [{ name: `ctrl+${String.fromCharCode(code + 96)}` }] : [];
}

/** Text with several line breaks in one input event is a paste that the terminal didn't mark as one. */
export function isUnmarkedPaste(input: string): boolean {
  const end = input.search(/[\r\n]/);
  return input.length > 2 && end >= 0 && input.slice(end).trim() !== "";
}
