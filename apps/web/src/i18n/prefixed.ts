import type { Plural } from "./plural.ts";

/** English words that other inboxes share, as the page's texts: `{ web: "in the browser" }` becomes `{ "place.web": "in the browser" }`. */
export const prefixed = <Prefix extends string, Words extends Readonly<Record<string, string | Plural>>>(prefix: Prefix, words: Words) =>
  Object.fromEntries(Object.entries(words).map(([name, text]) => [`${prefix}.${name}`, text])) as {
    [Name in keyof Words & string as `${Prefix}.${Name}`]: Words[Name];
  };
