import type { Seen } from "./service.ts";

/** What Discord's apps do with a text, in the order in which they try it, each from where the one before ended. */
const rules: readonly { kind: string; form: RegExp; shows?: (found: RegExpExecArray) => string; inside?: boolean }[] = [
  { kind: "", form: /^\\([^0-9A-Za-z\s])/, shows: ([, mark = ""]) => mark },
  { kind: "code", form: /^```(?:[a-z0-9_+\-.#]+?\n)?\n*([^\n][\s\S]*?)\n*```/i, shows: ([, text = ""]) => text },
  { kind: "code", form: /^(`+)([\s\S]*?[^`])\1(?!`)/, shows: ([, , text = ""]) => text },
  { kind: "bold", form: /^\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/, inside: true },
  { kind: "underline", form: /^__((?:\\[\s\S]|[^\\])+?)__(?!_)/, inside: true },
  { kind: "italic", form: /^\*(?=\S)((?:\*\*|\s+(?:[^*\s]|\*\*)|[^\s*])+?)\*(?!\*)/, inside: true },
  { kind: "italic", form: /^\b_((?:__|\\[\s\S]|[^\\_])+?)_\b/, inside: true },
  { kind: "strike", form: /^~~([\s\S]+?)~~(?!_)/, inside: true },
  { kind: "spoiler", form: /^\|\|([\s\S]+?)\|\|/, inside: true },
  { kind: "mention", form: /^(?:@everyone|@here|<(?:@[!&]?|#)\d+>|<id:\w+>|<\/[^:>]+:\d+>)/ },
  { kind: "emoji", form: /^(?:<a?:\w+:\d+>|:[^\s:]+:)/ },
  { kind: "time", form: /^<t:-?\d+(?::\w)?>/ },
  { kind: "url", form: /^\[((?:\\[\s\S]|[^\]\\])*)\]\(\s*<?\w+:[^\s)]+>?\s*\)/, inside: true },
  { kind: "url", form: /^<?(?:https?|steam|discord):\/\/[^\s<>]+>?/ },
  { kind: "url", form: /^<(?:tel|mailto|sms):[^\s<>]+>/ },
];
/** What only begins a line. */
const lines: readonly { kind: string; form: RegExp }[] = [
  { kind: "heading", form: /^(?:#{1,3}|-#)\s+(?=\S)/ },
  { kind: "quote", form: /^\s*>(?:>>)?\s/ },
  { kind: "list", form: /^\s*(?:[-*+]|\d+\.)\s+(?=\S)/ },
];

/** A content as a person sees it, and what is formatted, linked or mentioned in it. */
export function discordLooks(content: string): Pick<Seen, "text" | "marks"> {
  const marks: Seen["marks"] = [];
  const read = (source: string, isLineStart: boolean): string => {
    let text = "";
    let rest = source;
    let atStart = isLineStart;
    const step = (): string | undefined => {
      for (const { kind, form } of atStart ? lines : []) {
        const [found] = form.exec(rest) ?? [];
        if (found === undefined) continue;
        marks.push({ kind, text: found });
        return found;
      }
      for (const { kind, form, shows, inside } of rules) {
        // An underscore within a word marks nothing.
        const found = kind === "italic" && rest.startsWith("_") && /\w$/.test(text) ? null : form.exec(rest);
        if (found === null) continue;
        const [whole] = found;
        text += inside ? read(found[1] ?? "", false) : (shows?.(found) ?? whole);
        if (kind !== "") marks.push({ kind, text: whole });
        return whole;
      }
      return undefined;
    };
    while (rest !== "") {
      const taken = step();
      const eaten = taken ?? rest.charAt(0);
      if (taken === undefined) text += eaten;
      atStart = eaten.endsWith("\n");
      rest = rest.slice(eaten.length);
    }
    return text;
  };
  return { text: read(content, true), marks };
}
