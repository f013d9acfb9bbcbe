/** The number of items in the sources, and how many the tests executed. */
export interface Counted {
  total: number;
  covered: number;
}

/** Coverage of a file or package, in the format of Istanbul's `json-summary`. */
export interface Coverage {
  lines: Counted;
  branches: Counted;
  functions: Counted;
}

export interface PackageCoverage extends Coverage {
  /** Its folder, such as `packages/core`. */
  name: string;
}

/** The minimum percentages of a package. */
export type Threshold = Readonly<Record<keyof Coverage, number>>;

const kinds = ["lines", "branches", "functions"] as const;

/** Adds up the files of each package. `files` has absolute paths below `root`; its `total` is ignored. */
export function byPackage(files: Readonly<Record<string, Coverage>>, root: string): PackageCoverage[] {
  const packages = new Map<string, PackageCoverage>();
  for (const [path, file] of Object.entries(files)) {
    const name = /^(?:packages|apps)\/[^/]+/.exec(path.replaceAll("\\", "/").replace(`${root.replaceAll("\\", "/")}/`, ""))?.[0];
    if (name === undefined) continue;
    const sum = packages.get(name) ?? { name, lines: nothing(), branches: nothing(), functions: nothing() };
    for (const kind of kinds) {
      sum[kind] = { total: sum[kind].total + file[kind].total, covered: sum[kind].covered + file[kind].covered };
    }
    packages.set(name, sum);
  }
  return [...packages.values()].sort((one, other) => one.name.localeCompare(other.name));
}

/** A message for each percentage below its threshold, and for each package without thresholds. */
export function shortfalls(packages: readonly PackageCoverage[], thresholds: Readonly<Record<string, Threshold>>): string[] {
  return packages.flatMap((found) => {
    const threshold = thresholds[found.name];
    if (threshold === undefined) return [`${found.name} has no threshold; add one to scripts/coverage.ts.`];
    return kinds
      .filter((kind) => percent(found[kind]) < threshold[kind])
      .map(
        (kind) =>
          `${found.name}: ${percent(found[kind]).toFixed(1)} % of its ${kind} are covered, ${threshold[kind]} % at least are to be.`,
      );
  });
}

export function table(packages: readonly PackageCoverage[]): string {
  const width = Math.max(...packages.map(({ name }) => name.length));
  const line = (name: string, cells: readonly string[]) => `${name.padEnd(width)}${cells.map((cell) => cell.padStart(12)).join("")}`;
  const rows = packages.map((found) =>
    line(
      found.name,
      kinds.map((kind) => `${percent(found[kind]).toFixed(1)} %`),
    ),
  );
  return [line("", kinds), ...rows].join("\n");
}

/** Nothing to cover counts as 100 %. */
export const percent = ({ total, covered }: Counted): number => (total === 0 ? 100 : (100 * covered) / total);

const nothing = (): Counted => ({ total: 0, covered: 0 });
