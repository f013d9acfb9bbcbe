import { readPlace } from "@askbox/inbox/list";
import type { Translate } from "./translate.ts";

/** The name of a project's group: its folder, and the machine if it is another than the hub's own. */
export function sayPlace(t: Translate, group: string): string {
  const { folder, machine } = readPlace(group);
  return machine === undefined ? folder : `${folder} ${t("inbox.machine", { machine })}`;
}
