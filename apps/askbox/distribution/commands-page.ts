import { type Argument, Command, Help, type Option } from "commander";
import type { Run } from "../src/command.ts";
import { commandGroups, loadOverview } from "../src/command-list.ts";

/** The part of docs/commands.md that says what `askbox help COMMAND` says, made by the code that says it. */
export async function commandSections(): Promise<string> {
  const { withInboxOptions } = await loadOverview();
  const inbox = withInboxOptions(new Command("askbox").description("The inbox in a terminal."));
  const groups = commandGroups.map(async ({ title, commands }) => {
    const loaded = await Promise.all(commands.map(async ({ load }) => (await load()).command(run)));
    return [`### ${title}`, ...loaded.flatMap((command) => section(command, []))];
  });
  return [...section(inbox, []), ...(await Promise.all(groups)).flat()].join("\n\n");
}

/** The page runs nothing. */
const run: Run = () => async () => {};
const help = new Help();
const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ");

function section(command: Command, parents: readonly string[]): string[] {
  const path = [...parents, command.name()];
  const name = (path[0] === "askbox" ? path : ["askbox", ...path]).join(" ");
  const rows = [...command.registeredArguments, ...help.visibleOptions(command).filter(({ long }) => long !== "--help")];
  const table = rows.map((row) => `| \`${cell(`${name} ${termOf(row)}`)}\` | ${cell(descriptionOf(row))} |`);
  const alias = command.name() === "mcp" ? " Also `askbox server`." : "";
  return [
    `#### ${name}\n\n\`${name}\`: ${command.description()}${alias}`,
    ...(table.length === 0 ? [] : [["| argument or flag | meaning |", "|---|---|", ...table].join("\n")]),
    ...command.commands.flatMap((child) => section(child, path)),
  ];
}

const isOption = (row: Argument | Option): row is Option => "flags" in row;
const termOf = (row: Argument | Option): string => (isOption(row) ? row.flags : help.argumentTerm(row));
const descriptionOf = (row: Argument | Option): string => (isOption(row) ? help.optionDescription(row) : help.argumentDescription(row));
