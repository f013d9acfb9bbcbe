import { isDeepStrictEqual } from "node:util";
import { readHookEvent } from "@askbox/clients";
import fc from "fast-check";
import { text as lines, Malformed, Obstacle } from "../../../packages/agents/clients/src/formats/format.ts";
import { jsonc } from "../../../packages/agents/clients/src/formats/jsonc.ts";
import { toml } from "../../../packages/agents/clients/src/formats/toml.ts";
import { yaml } from "../../../packages/agents/clients/src/formats/yaml.ts";
import { fuzz } from "../engine/fuzz.ts";
import { mutated, mutatedText } from "../engine/mutated.ts";
import { writeOut } from "../engine/odd.ts";
import { assertSentence, fault, orRefusal } from "../engine/oracle.ts";

const entry = { command: "npx", args: ["-y", "askbox", "mcp"], env: { A: "b" } };
const settings = { mcpServers: { other: { command: "x", args: [] } }, permissions: { allow: ["Bash"] }, theme: "dark", n: 5 };
const jsoncSamples = [
  `{\n  // servers\n  "mcpServers": {\n    "other": { "command": "x" }, /* last */\n  },\n  "permissions": { "allow": ["Bash",] },\n}\n`,
  JSON.stringify(settings, undefined, "\t").replaceAll("\n", "\r\n"),
];
const tomlSamples = [
  '# settings\nmodel = "x"\n\n[mcpServers.other] # one\ncommand = "x"\nargs = ["a", \'b\']\nat = 2026-01-01T00:00:00Z\n\n[[list]]\nn = 1_000\n',
  'a.b.c = 1\n[permissions]\nallow = [\n  "Bash", # yes\n]\n[mcpServers]\nother = { command = "x", n = 0x1f, f = 1e3, s = """\nmany\n""" }\n',
];
const yamlSamples = [
  "# settings\nmcpServers: # servers\n  other:\n    command: x\n    args: [a, 'b']\n\n  # last\npermissions:\n  allow:\n  - Bash # yes\ntheme: >\n  dark\n\n  blue\n",
  '%YAML 1.2\n---\nbase: &base {command: "x"}\r\nmcpServers: {other: *base}\r\npermissions: {allow: []}\r\n? long\r\n: |\r\n  text\r\n...\r\n',
];
const textSamples = ["# Rules\n\nBe kind.\n", "a\r\nb\r\n<!-- askbox -->\nold\n<!-- /askbox -->\nc"];
const hookEvent = {
  session_id: "s",
  transcript_path: "/t",
  cwd: "/srv",
  hook_event_name: "PreToolUse",
  tool_name: "AskUserQuestion",
  tool_input: { questions: [{ question: "Which?", header: "H", multiSelect: false, options: [{ label: "a", description: "b" }] }] },
};

const changes = [
  { kind: "set", at: ["mcpServers", "askbox"], to: entry, ours: true },
  { kind: "set", at: ["mcpServers", "askbox", "timeout"], to: 5 },
  { kind: "include", at: ["permissions", "allow"], item: "mcp__askbox__ask_user" },
] as const;
const block = { kind: "block", text: "Ask with askbox." } as const;

const file = fc.oneof(
  fc.record({ format: fc.constant("jsonc" as const), text: fc.oneof(mutated([settings]), mutatedText(jsoncSamples)) }),
  fc.record({ format: fc.constant("toml" as const), text: mutatedText(tomlSamples) }),
  fc.record({ format: fc.constant("yaml" as const), text: mutatedText(yamlSamples) }),
  fc.record({ format: fc.constant("text" as const), text: mutatedText(textSamples) }),
);

/** Clients' settings, written by people and programs: changed and restored correctly, or left alone with a sentence. */
fuzz({
  name: "client-settings",
  input: fc.record({ file, change: fc.nat(changes.length - 1), hook: mutated([hookEvent]) }),
  runs: 120,
  open: () => ({
    async take(input) {
      const text = writeOut(input.file.text);
      const format = { jsonc, toml, yaml, text: lines }[input.file.format];
      const change = input.file.format === "text" ? block : (changes[input.change] ?? changes[0]);
      const made = orObstacle(() => {
        const before = format.parse(text);
        return { before, ...format.apply(text, change) };
      });
      if (made !== undefined) {
        if (format.apply(made.text, change).applied !== undefined) fault("A change that was made is made again.");
        if (made.applied !== undefined) {
          const { applied } = made;
          const undone = orObstacle(() => format.undo(made.text, applied));
          if (undone !== undefined && input.file.format !== "text" && !isDeepStrictEqual(plain(format.parse(undone)), plain(made.before))) {
            fault("What was taken back is not what was there before.");
          }
        }
      }
      await orRefusal(() => readHookEvent(writeOut(input.hook)));
    },
  }),
});

function orObstacle<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Malformed || error instanceof Obstacle))
      fault(`Thrown: ${error instanceof Error ? error.stack : String(error)}`);
    assertSentence(error.message, "Why a file is left alone");
    return undefined;
  }
}

const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? String(inner) : inner)) ?? "null");
