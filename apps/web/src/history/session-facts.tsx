import type { SessionView } from "@askbox/core";
import { useFormats } from "../i18n/formats.ts";
import { useTranslate } from "../i18n/language.tsx";
import { AgentText } from "../ui/agent-text.tsx";
import { factsOf } from "./facts.ts";

export function SessionFacts({ session }: { session: SessionView }) {
  const t = useTranslate();
  const formats = useFormats();
  return (
    <dl className="facts">
      {factsOf(session, t, formats).map(({ name, value, isCode }) => (
        <div key={name}>
          <dt>{t(name)}</dt>
          <dd>
            <AgentText className={isCode ? "fact-code" : undefined}>{value}</AgentText>
          </dd>
        </div>
      ))}
    </dl>
  );
}
