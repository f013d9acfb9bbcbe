import { describe, expect, it } from "vitest";
import { en as first, type MessageKey } from "../src/i18n/en.ts";
import { enLater } from "../src/i18n/en-later.ts";
import type { Plural } from "../src/i18n/plural.ts";
import { zh as zhFirst } from "../src/i18n/zh.ts";
import { zhLater } from "../src/i18n/zh-later.ts";

const en = { ...first, ...enLater };
const zh = { ...zhFirst, ...zhLater };
const keys = Object.keys(en) as MessageKey[];
const texts = (message: string | Plural) => (typeof message === "string" ? [message] : Object.values(message));
const parameters = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
/** Parts of other messages; a language may write their number in words. */
const named = (message: string | Plural) => [...new Set(texts(message).flatMap(parameters))];

describe("the catalogues", () => {
  it("have the same messages with the same parameters", () => {
    expect(Object.keys(zh).sort()).toEqual([...keys].sort());
    expect(keys.filter((key) => named(en[key]).join() !== named(zh[key]).join())).toEqual([]);
  });

  it("are in Chinese, except for names, symbols and commands", () => {
    const han = /\p{Script=Han}/u;
    const bare = keys.filter((key) => texts(zh[key]).some((text) => !han.test(text.replace(/\{\w+\}/g, ""))));
    expect(bare.filter((key) => texts(zh[key]).some((text) => text.replace(/\{\w+\}/g, "").trim() !== ""))).toEqual([
      "app.name",
      // Only what is between two texts.
      "answer.more",
      "gate.command",
      "sent.done",
    ]);
  });
});
