import { dirname } from "node:path";
import { styleText } from "node:util";

interface Verdict {
  file: string;
  status: string;
}

const columns = ["folder", "mutants", "killed", "survived", "no coverage", "score"] as const;

/** One line for each folder and one for all. A mutant that ran out of time is killed; ignored and invalid ones count for nothing. */
export function mutationTable(verdicts: readonly Verdict[]): string {
  const counted = verdicts.filter(({ status }) => ["Killed", "Timeout", "Survived", "NoCoverage"].includes(status));
  const folders = [...new Set(counted.map(({ file }) => dirname(file)))].sort();
  const rows = [
    ...folders.map((folder) =>
      row(
        folder,
        counted.filter(({ file }) => dirname(file) === folder),
      ),
    ),
    row("all", counted),
  ];
  const widths = columns.map((name, index) => Math.max(name.length, ...rows.map((cells) => cells[index]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells.map((cell, index) => (index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0))).join("  ");
  return [styleText("bold", line(columns)), ...rows.map(line)].join("\n");
}

function row(name: string, verdicts: readonly Verdict[]): string[] {
  const count = (...statuses: string[]) => verdicts.filter(({ status }) => statuses.includes(status)).length;
  const killed = count("Killed", "Timeout");
  const score = verdicts.length === 0 ? "–" : `${((100 * killed) / verdicts.length).toFixed(1)} %`;
  return [name, `${verdicts.length}`, `${killed}`, `${count("Survived")}`, `${count("NoCoverage")}`, score];
}
