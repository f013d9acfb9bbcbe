import { dirname } from "node:path";
import { styleText } from "node:util";

interface Verdict {
  file: string;
  status: string;
}

const isKilled = ({ status }: Verdict) => status === "Killed" || status === "Timeout";
const isMissed = ({ status }: Verdict) => status === "Survived" || status === "NoCoverage";

/** Of 100 mutants, how many the tests notice. One that ran out of time is killed; ignored and invalid ones count for nothing. */
export function mutationScore(verdicts: readonly Verdict[]): number {
  const killed = verdicts.filter(isKilled).length;
  const counted = killed + verdicts.filter(isMissed).length;
  return counted === 0 ? 100 : (100 * killed) / counted;
}

const columns = ["folder", "mutants", "killed", "survived", "no coverage", "score"] as const;

/** One line for each folder and one for all. */
export function mutationTable(verdicts: readonly Verdict[]): string {
  const counted = verdicts.filter((verdict) => isKilled(verdict) || isMissed(verdict));
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
  const count = (status: string) => `${verdicts.filter((verdict) => verdict.status === status).length}`;
  const killed = `${verdicts.filter(isKilled).length}`;
  return [name, `${verdicts.length}`, killed, count("Survived"), count("NoCoverage"), `${mutationScore(verdicts).toFixed(1)} %`];
}
