import { distinctKeys, type KeyAction, keymapWith, keyPlaces } from "@askbox/inbox/commands";

const signs: Readonly<Record<string, string>> = { up: "↑", down: "↓", left: "←", right: "→", escape: "Esc" };

/** A table of an inbox's keys, in the order of its help. `modifier`: with a digit, it picks an option after the tenth. */
export function keysText(actions: Readonly<Record<string, KeyAction>>, modifier: "Alt" | "Shift"): string {
  const { keymap } = keymapWith(actions);
  const groups = (Object.keys(keyPlaces) as (keyof typeof keyPlaces)[]).map((place) => {
    const rows = keymap
      .actionsIn(place)
      .map((action) => `| ${distinctKeys(keymap.keysOf(action)).map(written).join(", ")} | ${keymap.describe(action)} |`);
    const digits =
      place === "question"
        ? [
            "| `1` to `9`, `0` | Pick an option by its number |",
            `| \`${modifier} 1\` to \`0\` | Pick the eleventh to the twentieth option |`,
          ]
        : [];
    return { title: keyPlaces[place], rows: [...digits, ...rows] };
  });
  return groups
    .filter(({ rows }) => rows.length > 0)
    .map(({ title, rows }) => [`| ${title.toLowerCase()} | |`, "|---|---|", ...rows].join("\n"))
    .join("\n\n");
}

function written(key: string): string {
  const parts = key.split("+").map((part) => signs[part] ?? (part.length > 1 ? part.slice(0, 1).toUpperCase() + part.slice(1) : part));
  return `\`${parts.join(" ")}\``;
}
