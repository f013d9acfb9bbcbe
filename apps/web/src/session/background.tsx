import type { SessionView } from "@askbox/core";
import { terminalText } from "@askbox/terminal-text";
import { useTranslate } from "../i18n/language.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { AgentText } from "../ui/agent-text.tsx";
import "./background.css";

/** What the agent was doing when it asked, folded. */
export function Background({ session: { asker } }: { session: SessionView }) {
  const t = useTranslate();
  const { said, steps = [], changes } = asker.background ?? {};
  if (said === undefined && steps.length === 0 && changes === undefined) return null;
  return (
    <details className="background" data-testid="background">
      <summary>{t("background.title")}</summary>
      {said !== undefined && (
        <section>
          <h2>{t("background.said")}</h2>
          <Markdown text={said} />
        </section>
      )}
      {steps.length > 0 && (
        <section>
          <h2>{t("background.steps")}</h2>
          <ol>
            {steps.map((step, index) => (
              <li key={index}>
                <AgentText className="exact">{step}</AgentText>
              </li>
            ))}
          </ol>
        </section>
      )}
      {changes !== undefined && (
        <section>
          <h2>{t("background.changes")}</h2>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide text is scrolled by keyboard. */}
          <pre dir="ltr" tabIndex={0}>
            {terminalText(changes)}
          </pre>
        </section>
      )}
    </details>
  );
}
