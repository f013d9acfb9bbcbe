import { opendir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { maxFiles } from "@askbox/core/questions";

/** The most entries of a folder that are read, and the most names that are shown. */
const [mostEntries, mostShown] = [20_000, 12];

/** The path that was typed, pasted, or dropped on the terminal, which quotes it, escapes its spaces, or writes a `file:` address. */
export function readPath(text: string, platform: NodeJS.Platform = process.platform): string {
  const typed = text.trim();
  const [quote = ""] = typed;
  if (/['"]/.test(quote) && typed.length > 1 && typed.endsWith(quote)) return typed.slice(1, -1);
  if (typed.startsWith("file://")) {
    try {
      return fileURLToPath(typed);
    } catch {
      return typed;
    }
  }
  return platform === "win32" ? typed : typed.replace(/\\(.)/g, "$1");
}

/** Completes the path as far as it is certain, as a shell does. `matches` are the names it could continue with; at most 12. */
export async function completePath(
  text: string,
  { cwd = process.cwd(), home = homedir(), platform = process.platform } = {},
): Promise<{ text: string; matches: string[] }> {
  const path = readPath(text.trimStart(), platform);
  const cut = Math.max(path.lastIndexOf("/"), platform === "win32" ? path.lastIndexOf("\\") : -1) + 1;
  const [folder, begun] = [path.slice(0, cut), path.slice(cut)];
  const names: string[] = [];
  try {
    let read = 0;
    for await (const entry of await opendir(resolve(cwd, inHome(folder, home)))) {
      read += 1;
      if (read > mostEntries) break;
      const isMeant = entry.name.startsWith(begun) && (begun !== "" || !entry.name.startsWith("."));
      if (isMeant) names.push(entry.isDirectory() ? `${entry.name}/` : entry.name);
    }
  } catch {
    return { text, matches: [] };
  }
  names.sort();
  const [first = begun, ...more] = names;
  const shared = more.reduce(sharedStart, first);
  const shown = names.slice(0, mostShown);
  return { text: folder + shared, matches: names.length > mostShown ? [...shown, "…"] : shown };
}

/** The characters of the longest paste that is read as paths. */
const maxPaste = 10_000;

/** The paths in a paste that is nothing but the absolute paths of at most 20 files, as they stand in it; otherwise none. */
export async function droppedFiles(text: string, { home = homedir(), platform = process.platform } = {}): Promise<string[]> {
  const whole = text.trim();
  if (whole.length > maxPaste) return [];
  const isFile = async (path: string): Promise<boolean> => {
    if (!/^['"]?(?:\/|~[/\\]|file:\/\/|[a-z]:[/\\])/i.test(path)) return false;
    const stats = await stat(inHome(readPath(path, platform), home)).catch(() => undefined);
    return stats?.isFile() ?? false;
  };
  if (await isFile(whole)) return [whole];
  const paths = whole.match(/'[^']*'|"[^"]*"|(?:\\.|[^\s\\])+/g) ?? [];
  if (paths.length > maxFiles) return [];
  for (const path of paths) if (!(await isFile(path))) return [];
  return paths;
}

const inHome = (path: string, home: string): string => path.replace(/^~(?=[/\\])/, home);

function sharedStart(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return a.slice(0, length);
}
