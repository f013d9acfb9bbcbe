import { folderName } from "./selectors.ts";

/** The folder's name and the machine of a project's group. No folder of the hub's own begins like a machine and its folder. */
export function readPlace(group: string): { folder: string; machine?: string } {
  const [, machine, path = ""] = /^([\w.@-]{2,}):((?:[\\/]|[A-Za-z]:).*)$/s.exec(group) ?? [];
  return machine === undefined ? { folder: folderName(group) } : { folder: folderName(path), machine };
}
