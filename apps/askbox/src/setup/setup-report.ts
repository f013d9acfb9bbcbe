import { shellWord } from "@askbox/core/clients";
import { terminalLine } from "@askbox/terminal-text";
import type { PreviewLine } from "@askbox/tui";
import type { CommandContext } from "../context.ts";
import { copyableCommand } from "../demo/copyable-command.ts";
import { wrap } from "../text/layout.ts";
import { type Paint, paintFor } from "../text/paint.ts";
import { places } from "./first-question.ts";
import type { Installed } from "./install-chosen.ts";
import type { Tried } from "./try-one.ts";

// keys: what a plan does with a file.
const words: Readonly<Record<string, string>> = { create: "wrote", change: "changed", remove: "removed" };

/** What `askbox setup` prints, wrapped to the terminal. */
export class SetupReport {
  readonly #context: CommandContext;
  readonly #paint: Paint;
  /** How to type this command. */
  readonly #program: string;

  constructor(context: CommandContext) {
    this.#context = context;
    this.#paint = paintFor(context.io.stdout);
    const { argv, execPath, execArgv, platform } = process;
    this.#program = copyableCommand({ env: context.io.env, argv, execPath, execArgv, platform });
  }

  async say(sentence: string): Promise<void> {
    await this.#write([sentence]);
  }

  async preview(lines: readonly PreviewLine[]): Promise<void> {
    await this.#write(lines.map(({ indent = 0, spans }) => " ".repeat(indent) + spans.map(({ text }) => text).join("")));
  }

  async installed(installed: readonly Installed[]): Promise<void> {
    const lines = installed.flatMap((each) => {
      if (each.state === "failed") return [this.#paint("red", `${each.title} is not set up.`), `  ${each.problem}`];
      const files = each.files.map(({ path, action }) => `  ${words[action] ?? action} ${path}`);
      return [this.#paint("bold", `${each.title} is set up.`), ...files, ...each.notes.map((note) => `  ${terminalLine(note)}`)];
    });
    if (lines.length > 0) await this.#write([...lines, ""]);
  }

  async tried(tried: Tried | undefined, installed: readonly Installed[]): Promise<void> {
    const done = installed.filter(({ state }) => state === "installed");
    const lines = [...this.#outcome(tried), ""];
    if (done.length > 0) lines.push(`Restart ${done.map(({ title }) => title).join(", ")}, and tell an agent to ask you something.`);
    for (const [what, line] of this.#next(
      tried,
      done.map(({ client }) => client),
    ))
      lines.push(`${what} ${this.#paint("cyan", line)}`);
    await this.#write(lines);
  }

  #outcome(tried: Tried | undefined): string[] {
    if (tried === undefined) return ["No first question: no client here starts askbox by itself."];
    const { title, command } = tried;
    const line = command.map((word) => shellWord(word) ?? JSON.stringify(word)).join(" ");
    const from = `${title}'s entry starts this, which asked a first question:`;
    if (tried.kind === "failed")
      return [from, `  ${line}`, this.#paint("red", terminalLine(tried.error.message)), `Run ${this.#program} doctor.`];
    return [from, `  ${line}`, this.#paint("green", this.#end(tried))];
  }

  #end({ asked }: Extract<Tried, { kind: "asked" }>): string {
    if (asked.kind === "left") return "It was left unanswered, and nobody waits for it. What was set up stays.";
    if (asked.kind === "arrived") return "It arrived in the inbox, was withdrawn, and its agent was told so. Agents can ask you now.";
    const { result, value } = asked;
    if (result.answered) {
      const label = places.find((place) => place.value === value)?.label ?? value ?? "";
      return `You answered "${terminalLine(label)}", and its agent got that in the same call.`;
    }
    return result.cancelled ? "You declined it, and its agent was told so." : "Nobody answered it in time, and its agent was told so.";
  }

  #next(tried: Tried | undefined, clients: readonly string[]): [string, string][] {
    const value = tried?.kind === "asked" && tried.asked.kind === "returned" ? tried.asked.value : undefined;
    const answers = { browser: "open", phone: "open --qr", shell: "list" }[value ?? ""];
    const [first] = clients;
    return [
      ["To answer:", answers === undefined ? this.#program : `${this.#program} ${answers}`],
      ...(first === undefined
        ? []
        : [["To undo it:", `${this.#program} uninstall ${clients.length === 1 ? first : "CLIENT"}`] as [string, string]]),
    ];
  }

  async #write(lines: readonly string[]): Promise<void> {
    const { stdout } = this.#context.io;
    const indented = (line: string) => wrap(line, stdout.columns, /^ */.exec(line)?.[0].length ?? 0);
    await stdout.write(`${lines.map(indented).join("\n")}\n`);
  }
}
