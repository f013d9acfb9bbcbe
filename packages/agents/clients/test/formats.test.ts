import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Change, text } from "../src/formats/format.ts";
import { jsonc } from "../src/formats/jsonc.ts";
import { toml } from "../src/formats/toml.ts";
import { yaml } from "../src/formats/yaml.ts";
import type { Json } from "../src/json.ts";

const entry: Change = { kind: "set", at: ["mcpServers", "askbox"], to: { command: "askbox", args: ["mcp"] }, ours: true };

/** The text after applying and undoing a change. */
function thereAndBack(format: typeof jsonc, held: string, change: Change): string {
  const { text: changed, applied } = format.apply(held, change);
  if (applied === undefined) throw new Error("There was nothing to change");
  return format.undo(changed, applied);
}

describe("an edit of JSON", () => {
  test.each([
    [
      "a list on one line",
      '{"mcpServers": {"other": {"command": "x"}}}',
      '{"mcpServers": {"other": {"command": "x"}, "askbox": { "command": "askbox", "args": [ "mcp" ] }}}',
    ],
    [
      "a comment after the last entry",
      '{\n  "mcpServers": {\n    "other": {} // mine\n  }\n}\n',
      '{\n  "mcpServers": {\n    "other": {}, // mine\n    "askbox": {\n      "command": "askbox",\n      "args": [\n        "mcp"\n      ]\n    }\n  }\n}\n',
    ],
    [
      "a comma after the last entry",
      '{\n\t"mcpServers": {\n\t\t"other": {},\n\t},\n}',
      '{\n\t"mcpServers": {\n\t\t"other": {},\n\t\t"askbox": {\n\t\t\t"command": "askbox",\n\t\t\t"args": [\n\t\t\t\t"mcp"\n\t\t\t]\n\t\t},\n\t},\n}',
    ],
    [
      "no list",
      "{}",
      '{\n  "mcpServers": {\n    "askbox": {\n      "command": "askbox",\n      "args": [\n        "mcp"\n      ]\n    }\n  }\n}',
    ],
  ])("fits itself to %s", (_, before, after) => {
    expect(jsonc.apply(before, entry).text).toBe(after);
    expect(thereAndBack(jsonc, before, entry)).toBe(before);
  });

  test("and its undo leave any layout unchanged", () => {
    const gap = fc.constantFrom("", " ", "\n", "\n  ", " /* c */ ", " // c\n", "\r\n\t");
    const name = fc.stringMatching(/^[a-z]{1,4}$/);
    const value = fc.constantFrom("1", '"x,y"', "[ 1, 2 ]", '{"askbox": {}}', "null", '"//"');
    const object = (members: fc.Arbitrary<string>) =>
      fc.tuple(fc.array(fc.tuple(gap, members, gap), { maxLength: 3 }), gap, fc.boolean()).map(([list, last, comma]) => {
        const inner = list.map(([before, member, after]) => `${before}${member}${after}`).join(",");
        return `{${inner}${comma && list.length > 0 ? "," : ""}${last}}`;
      });
    const members = fc.tuple(name, gap, value).map(([key, space, held]) => `"m${key}":${space}${held}`);
    const servers = object(members).map((held) => `"mcpServers": ${held}`);
    const root = fc.oneof(object(fc.oneof(members, servers)), object(members));
    fc.assert(
      fc.property(root, (held) => {
        const keys = [...held.matchAll(/"(m\w+)":/g)].map(([, key]) => key);
        // Two settings of the same name are rejected; see below.
        fc.pre(new Set(keys).size === keys.length);
        expect(held.includes("mcpServers") ? thereAndBack(jsonc, held, entry) : jsonc.apply(held, entry).text).toSatisfy(
          (result: string) =>
            held.includes("mcpServers") ? same(result, held) : (jsonc.parse(result) as { mcpServers: object }).mcpServers !== undefined,
        );
      }),
      { numRuns: 500 },
    );
  });

  test("is rejected if a name occurs twice, since clients differ in which one they use", () => {
    expect(() => jsonc.apply('{"mcpServers": {"a": 1}, "mcpServers": {"b": 2}}', entry)).toThrow(/cannot be changed without touching/);
  });

  test("of a list adds and removes one item, and keeps its comments", () => {
    const held = '{\n  "permissions": {\n    "allow": [\n      "Bash", // careful\n      "Read"\n    ]\n  }\n}\n';
    const change: Change = { kind: "include", at: ["permissions", "allow"], item: "mcp__askbox__ask_user" };
    const { text: changed } = jsonc.apply(held, change);
    expect(changed).toBe(held.replace('"Read"\n', '"Read",\n      "mcp__askbox__ask_user"\n'));
    expect(thereAndBack(jsonc, held, change)).toBe(held);
    expect(jsonc.apply(changed, change).applied).toBeUndefined();
  });
});

/** Byte for byte, except for white space in an empty object. */
const same = (one: string, other: string) => one === other || one === other.replace(/\{\s+\}/g, "{}");

describe("an edit of TOML", () => {
  const change: Change = {
    kind: "set",
    at: ["mcp_servers", "askbox"],
    to: { command: "C:\\a\\b", args: ["x\ty"], env: { "A.B": "\u007f" } },
    ours: true,
  };

  test.each([
    ["tables", "[mcp_servers.other]\ncommand = 'x'\n"],
    ["an inline table", 'mcp_servers = { other = { command = "x" } } # keep\n'],
    ["dotted keys", 'mcp_servers.other.command = "x"\n'],
    ["a quoted name", '["mcp_servers"."other"]\ncommand = "x"\n'],
    [
      "dates, numbers and text of several lines",
      'at = 1979-05-27T07:32:00Z\nn = 1_000\nf = 6.02e23\nt = """\n[mcp_servers.askbox]\n"""\n[[list]]\na=1\n[[list]]\na=2\n',
    ],
    ["line ends of Windows", "# one\r\n[a]\r\nb = 1\r\n"],
  ])("is added to and removed from a file with %s", (_, held) => {
    const { text: changed } = toml.apply(held, change);
    expect((toml.parse(changed) as { mcp_servers: Json }).mcp_servers).toMatchObject({ askbox: change.kind === "set" ? change.to : {} });
    expect(thereAndBack(toml, held, change).trimEnd()).toBe(held.trimEnd());
    expect(changed.replaceAll("\r\n", "")).not.toContain(held.includes("\r\n") ? "\n" : "\r");
  });

  test("replaces an existing entry", () => {
    const held = '[mcp_servers.askbox]\ncommand = "old"\nextra = 1\n\n[mcp_servers.askbox.env]\nA = "1"\n\n[tui]\n';
    const { text: changed, applied } = toml.apply(held, change);
    expect(toml.parse(changed)).toEqual({ mcp_servers: { askbox: change.kind === "set" ? change.to : {} }, tui: {} });
    expect(applied?.before).toEqual({ command: "old", extra: 1, env: { A: "1" } });
  });
});

describe("an edit of YAML", () => {
  const change: Change = {
    kind: "set",
    at: ["extensions", "askbox"],
    to: { cmd: "C:\\a\\b", args: ["x\ty", "1790", "yes", ""], envs: { "A.B": "#1" }, enabled: true, timeout: 1_800 },
    ours: true,
  };

  test.each([
    ["extensions", "extensions:\n  other:\n    cmd: x # mine\n\n  # another one\nlast: 1\n"],
    ["deep indentation, and a list at its parent's", "extensions:\n      other:\n            args:\n            - a\n            - b\n"],
    ["a text of several lines at the end", "extensions:\n  other:\n    text: |\n      askbox:\n\n      here\n"],
    ["no extensions", "a: 1 # keep\n"],
    ["a comment and nothing else", "# keep\n"],
    ["a start and an end", "%YAML 1.2\n---\nextensions:\n  other: {cmd: x}\n...\n"],
    ["aliases", "base: &base\n  cmd: x\nextensions:\n  other: *base\n"],
    ["line ends of Windows", "# one\r\nextensions:\r\n  other:\r\n    cmd: x\r\n"],
    ["other names in other lines", 'extensions:\n  "other": {cmd: x,\n    args: [a]}\n  ? third\n  : cmd: y\n'],
  ])("is added to and removed from a file with %s", (_, held) => {
    const { text: changed } = yaml.apply(held, change);
    expect((yaml.parse(changed) as { extensions: Json }).extensions).toMatchObject({ askbox: change.kind === "set" ? change.to : {} });
    expect(thereAndBack(yaml, held, change)).toBe(held);
    for (const line of held.split("\n").filter((each) => each.trim() !== "")) expect(changed.split("\n")).toContain(line);
    expect(changed.replaceAll("\r\n", "")).not.toContain(held.includes("\r\n") ? "\n" : "\r");
  });

  test("replaces an existing entry, and puts it back", () => {
    const held = "extensions:\n  askbox:\n    cmd: old\n    envs: {A: '1'}\n  other:\n    cmd: x\n";
    const { text: changed, applied } = yaml.apply(held, change);
    expect(yaml.parse(changed)).toEqual({ extensions: { askbox: change.kind === "set" ? change.to : {}, other: { cmd: "x" } } });
    expect(applied?.before).toEqual({ cmd: "old", envs: { A: "1" } });
    expect(yaml.parse(thereAndBack(yaml, held, change))).toEqual(yaml.parse(held));
  });

  test.each([
    ["in braces", "extensions: {other: {cmd: x}} # keep\n"],
    ["empty, with a comment", "extensions: {} # keep\nlast: 1\n"],
  ])("of extensions that are %s keeps the comment", (_, held) => {
    const { text: changed } = yaml.apply(held, change);
    expect(changed).toContain("# keep");
    expect(yaml.parse(thereAndBack(yaml, held, change))).toEqual(yaml.parse(held));
  });

  test.each([
    "a: *gone\n",
    "a: &a [1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n",
    "a: 1\na: 2\n",
    "a: 1\n---\nb: 2\n",
  ])("is refused where a text can't be told: %j", (held) => {
    expect(() => yaml.apply(held, change)).toThrow();
  });
});

describe("a block in a text", () => {
  const block: Change = { kind: "block", text: "Ask first.\nThen act." };

  test.each(["", "# Rules\n", "# Rules", "# Rules\r\n\r\nBe kind.\r\n", "\n"])("is added to and removed from %j", (held) => {
    const { text: changed } = text.apply(held, block);
    expect(changed).toContain("Ask first.");
    expect(text.apply(changed, block).text).toBe(changed);
    expect([held, `${held}\n`, `${held}\r\n`]).toContain(thereAndBack(text, held, block));
  });

  test("is rejected if its marks are not a pair", () => {
    expect(() => text.apply("<!-- askbox: begin -->\n", block)).toThrow(/must appear once each/);
  });

  test("a line of a list is added only once", () => {
    const line: Change = { kind: "line", text: "/.mcp.json" };
    expect(text.apply("*.log", line).text).toBe("*.log\n/.mcp.json\n");
    expect(text.apply("/.mcp.json\n*.log\n", line).applied).toBeUndefined();
    expect(thereAndBack(text, "*.log\n", line)).toBe("*.log\n");
  });
});
