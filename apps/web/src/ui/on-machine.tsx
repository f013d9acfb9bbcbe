import type { Grouping } from "@askbox/inbox/list";
import { useTranslate } from "../i18n/language.tsx";
import { AgentText } from "./agent-text.tsx";

/** Which machine an agent runs on; nothing for the hub's own, or where the heading above names it. */
export function OnMachine({ machine, group }: { machine: string | undefined; group?: Grouping | undefined }) {
  const t = useTranslate();
  if (machine === undefined || group === "project" || group === "machine") return null;
  return <AgentText className="machine">{t("inbox.machine", { machine })}</AgentText>;
}
