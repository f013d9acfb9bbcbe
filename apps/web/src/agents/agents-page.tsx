import { useRef, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { useKeys } from "../ui/use-key.ts";
import { AgentRow } from "./agent-row.tsx";
import { useConversations } from "./use-conversations.ts";
import "./agents.css";

/** Who waits, works or has gone, with a field to write to each. */
export function AgentsPage() {
  const t = useTranslate();
  const { conversations, error, read } = useConversations();
  const [writingTo, setWritingTo] = useState<string>();
  const list = useRef<HTMLUListElement>(null);

  useKeys(({ is }) => {
    const rows = [...(list.current?.children ?? [])];
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const focused = rows[at];
    if (is("down") || is("up"))
      (rows[Math.max(0, Math.min(rows.length - 1, at + (is("down") ? 1 : -1)))] as HTMLElement | undefined)?.focus();
    else if (is("askBack") && focused !== undefined) focused.querySelector<HTMLElement>("[data-write]")?.click();
    else if (is("open") && focused !== undefined && focused === document.activeElement) focused.querySelector("a")?.click();
    else return false;
    return true;
  });

  return (
    <main className="page agents" id="detail" tabIndex={-1} data-testid="agents">
      <div className="page-body">
        <h1>{t("agents.title")}</h1>
        {error !== undefined && (
          <p className="error" role="alert">
            {t("history.failed", { message: error })}
          </p>
        )}
        {conversations?.length === 0 && (
          <div className="nothing">
            <p className="nothing-title">{t("agents.none.title")}</p>
            <p className="quiet">{t("agents.none.text")}</p>
          </div>
        )}
        <ul className="agent-list" ref={list}>
          {conversations?.map((agent) => (
            <AgentRow
              key={agent.id}
              agent={agent}
              isWriting={agent.id === writingTo}
              onWrite={() => setWritingTo(agent.id)}
              onClose={(isSent) => {
                setWritingTo(undefined);
                if (isSent) read();
              }}
            />
          ))}
        </ul>
      </div>
    </main>
  );
}
