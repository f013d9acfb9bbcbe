import { describe, expect, test } from "vitest";
import { discord } from "../src/discord/discord.ts";
import { bodyOf, contentOf, escaped, formOf } from "../src/discord/messages.ts";
import { inert } from "../src/plain.ts";
import type { ChatButton, Part } from "../src/port.ts";
import { discordLooks } from "./support/discord-markdown.ts";

interface Row {
  components: { type: number; custom_id?: string; placeholder?: string; options?: { value: string }[] }[];
}
const rowsOf = (body: object) => (body as { components: Row[] }).components;
const buttons = (count: number, prefix = "b"): ChatButton[] =>
  Array.from({ length: count }, (_, index) => ({ id: `${prefix}${index}`, label: `${prefix} ${index}` }));

describe("a text in Discord", () => {
  const pieces = [
    ..."\\*_~`|<>[]()#-+:@!/.,1a \n".split(""),
    ...["**", "__", "```", "~~", "||", "<@1>", "<#2>", "<@&3>", "<t:1:R>", "<:a:1>", "</go:1>", "<id:home>", ":smile:", "@everyone"],
    ...["\n# ", "\n- ", "\n1. ", "\n> ", "\n>>> ", "\n-# ", "[a](https://b.cc)", "https://b.cc", "<https://b.cc>", "<mailto:a@b.cc>"],
  ];
  /** The same texts in every run. */
  const texts = Array.from({ length: 3_000 }, (_, seed) => {
    let state = seed * 2_654_435_761 + 1;
    const next = () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state >>> 8;
    };
    return Array.from({ length: 1 + (next() % 12) }, () => pieces[next() % pieces.length]).join("");
  }).filter((text) => text.trim() !== "");

  test("is shown as it is, whatever it contains", () => {
    for (const text of texts) {
      const { text: shown, marks } = discordLooks(contentOf([{ as: "text", text: inert(text) }]));
      expect({ shown: shown.replaceAll("\u2060", ""), marks }).toEqual({ shown: inert(text).replaceAll("\u2060", ""), marks: [] });
    }
  });

  test("neither ends a block, nor gets into the next part", () => {
    for (const text of texts) {
      const parts: Part[] = [
        { as: "code", text },
        { as: "bold", text: "End" },
      ];
      const { text: shown, marks } = discordLooks(contentOf(parts));
      expect(shown.replaceAll("\u2060", "")).toBe(`${text}\nEnd`);
      expect(marks.map(({ kind }) => kind)).toEqual(["code", "bold"]);
    }
  });

  test("is not longer than it was measured", () => {
    const marks: Part["as"][] = ["text", "bold", "code"];
    for (const text of texts)
      for (const as of marks) expect(contentOf([{ as, text }]).length).toBeLessThanOrEqual(escaped(text).length + 10);
  });
});

describe("buttons in Discord", () => {
  test("keep their rows where there are few", () => {
    expect(rowsOf(bodyOf({ parts: [], rows: [buttons(2), buttons(1, "c")] })).map(({ components }) => components.length)).toEqual([2, 1]);
  });

  test("share rows where there are too many", () => {
    const rows = Array.from({ length: 12 }, (_, index) => buttons(2, `r${index}-`));
    const shown = rowsOf(bodyOf({ parts: [], rows }));
    expect(shown.map(({ components }) => components.length)).toEqual([5, 5, 5, 5, 4]);
    expect(shown.flatMap(({ components }) => components.map(({ custom_id }) => custom_id))).toEqual(rows.flat().map(({ id }) => id));
  });

  test("are options of up to two menus where an answer has more of them", () => {
    const message = { parts: [], rows: Array.from({ length: 6 }, (_, index) => buttons(2, `r${index}-`)) };
    const shown = rowsOf(bodyOf({ ...message, menu: { placeholder: "Choose", options: buttons(50) } }));
    expect(shown.map(({ components }) => components.length)).toEqual([1, 1, 5, 5, 2]);
    expect(shown.slice(0, 2).map(({ components: [menu] }) => [menu?.custom_id, menu?.placeholder, menu?.options?.length])).toEqual([
      ["menu0", "Choose (1)", 25],
      ["menu1", "Choose (2)", 25],
    ]);
  });

  test("that open an address longer than Discord takes are left out", () => {
    const link = `https://askbox.example/${"a".repeat(512)}`;
    expect(rowsOf(bodyOf({ parts: [], rows: [[{ id: "open", label: "Open", link }], buttons(1)] }))).toHaveLength(1);
  });

  test("open a form that has the whole title, as far as there is room", () => {
    expect(formOf({ action: "x.W0", title: "Which name?" })).toMatchObject({ custom_id: "x.W0", title: "Which name?" });
    const title = "Which name should the service have? ".repeat(3);
    const form = formOf({ action: "x.W0", title }) as { title: string; components: { description?: string }[] };
    expect(form.title).toBe(`${title.slice(0, 44)}…`);
    expect(form.components[0]?.description).toBe(`${title.slice(0, 99)}…`);
  });
});

test("the link that adds the bot to a server has a line of its own, from which a terminal opens it whole", () => {
  for (const isGroup of [false, true]) expect(discord.reach({ id: "1", name: "a" }, isGroup)[1]).toMatch(/^https:\/\/\S+$/);
});
