import { createContext, type ReactNode, useContext } from "react";

/** The words that are searched for in the texts below. */
export const FoundContext = createContext<readonly string[]>([]);

export const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "");

/** More words than this are not marked. */
const most = 20;

/** A text with each of the words marked, ignoring case. */
export function marked(text: string, words: readonly string[]): ReactNode {
  if (words.length === 0) return text;
  const pattern = words.slice(0, most).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  // The group keeps what is found, at each second place.
  return text
    .split(new RegExp(`(${pattern.join("|")})`, "gi"))
    .map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part));
}

export const useMarked = (text: string): ReactNode => marked(text, useContext(FoundContext));
