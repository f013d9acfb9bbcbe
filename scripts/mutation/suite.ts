import { format } from "node:util";

/** A test declared by a file. */
export interface DeclaredTest {
  /** The names of its groups and its own, with a number appended to duplicates. */
  readonly name: string;
  run(): unknown;
}

type Body = () => unknown;

const groups: string[] = [];
let declared: DeclaredTest[] = [];

/** The tests declared by the file that `load` imports, in order. */
export async function collect(load: () => Promise<unknown>): Promise<DeclaredTest[]> {
  declared = [];
  await load();
  return declared;
}

function declare(name: string, run: Body): void {
  const full = [...groups, name].join(" > ");
  const namesakes = declared.filter((other) => other.name === full || other.name.startsWith(`${full} #`)).length;
  declared.push({ name: namesakes === 0 ? full : `${full} #${namesakes + 1}`, run });
}

function group(name: string, body: Body): void {
  groups.push(name);
  try {
    if (body() !== undefined) throw new Error(`The group "${name}" gives something back; a group is declared at once.`);
  } finally {
    groups.pop();
  }
}

/** Calls `take` for each row; a row that is an array becomes the arguments. */
const forEachRow =
  (take: (name: string, body: Body) => void) =>
  (rows: readonly unknown[]) =>
  (name: string, body: (...row: unknown[]) => unknown): void => {
    for (const row of rows) {
      const values = Array.isArray(row) ? row : [row];
      const places = name.match(/%[sdifjoO]/g)?.length ?? 0;
      take(format(name, ...values.slice(0, places)), () => body(...values));
    }
  };

export const test = Object.assign(declare, { each: forEachRow(declare) });
export const describe = Object.assign(group, { each: forEachRow(group) });
