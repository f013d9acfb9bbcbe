import { useTranslate } from "../i18n/language.tsx";
import { AgentText } from "./agent-text.tsx";

/** Which machine an agent runs on; nothing for the hub's own. */
export function OnMachine({ machine }: { machine: string | undefined }) {
  const t = useTranslate();
  return machine === undefined ? null : <AgentText className="machine">{t("inbox.machine", { machine })}</AgentText>;
}
