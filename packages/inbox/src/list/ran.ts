import { shellWord } from "@askbox/core/clients";
import { type Ran, type RanLog, type RanPage, type RanQuery, wordsOfPlainCommand } from "@askbox/core/grants";

/** What ran without a person, as an inbox lists it: read in whole pages, and with what can be done about an entry. */

/** One that ran. */
export type RanItem = RanPage["items"][number];

/** What is listed of it. */
export interface RanList {
  isOn: boolean;
  items: RanItem[];
  areMore: boolean;
}

/** The most that one request returns. */
const perPage = 500;

/** The newest that match, at most `limit`: a page of a long search may end early. */
export async function listRan(log: Pick<RanLog, "list">, query: Omit<RanQuery, "limit" | "cursor">, limit: number): Promise<RanList> {
  const items: RanItem[] = [];
  for (let cursor: string | undefined; ; ) {
    const page: RanPage = await log.list({ ...query, limit: Math.min(perPage, limit - items.length + 1), cursor });
    items.push(...page.items);
    cursor = page.nextCursor;
    if (cursor === undefined || items.length > limit)
      return { isOn: page.isOn, items: items.slice(0, limit), areMore: items.length > limit };
  }
}

/**
 * The command line that always allows commands that begin like this one, with a word for what its program is to do; undefined for what no such
 * grant can be for. It says what is risky before it grants anything.
 */
export function grantCommand({ kind, what, client, project, machine }: Ran): string | undefined {
  const words = kind === "command" && !what.endsWith("…") ? wordsOfPlainCommand(what) : undefined;
  if (words === undefined || project === undefined) return undefined;
  const [program = "", next] = words;
  const prefix = shellWord(next !== undefined && /^[a-z][a-z:-]*$/.test(next) ? `${program} ${next}` : what.trim());
  const [folder, name, on] = [shellWord(project), shellWord(client), machine === undefined ? "" : shellWord(machine)];
  if (prefix === undefined || folder === undefined || name === undefined || on === undefined || what.length > 500) return undefined;
  return `askbox grants add ${prefix} --client ${name} --project ${folder}${on === "" ? "" : ` --machine ${on}`}`;
}
