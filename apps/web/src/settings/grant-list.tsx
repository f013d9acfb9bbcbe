import type { Grant } from "@askbox/core";
import { folderName } from "@askbox/inbox";
import { useInbox, useNow } from "@askbox/react";
import { exactText } from "@askbox/terminal-text";
import { useEffect, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { sayDuration } from "../i18n/phrases.ts";
import { AgentText } from "../ui/agent-text.tsx";
import { useGrants } from "./grants.ts";

/** What agents may do without asking; can be searched and revoked. */
export function GrantList() {
  const t = useTranslate();
  const now = useNow(10_000);
  const { connection } = useInbox();
  const hub = useGrants();
  const [grants, setGrants] = useState<readonly Grant[]>();
  const [query, setQuery] = useState("");
  const [error, setError] = useState<string>();

  const change = async (work: () => Promise<unknown>) => {
    try {
      await work();
      setGrants(await hub.list());
      setError(undefined);
    } catch (thrown) {
      setError(String(thrown instanceof Error ? thrown.message : thrown));
    }
  };
  useEffect(() => {
    if (connection === "open") void change(async () => {});
  }, [connection]);

  const wanted = query.trim().toLowerCase();
  const standing = grants?.filter(({ expiresAt }) => expiresAt > now);
  const shown = standing?.filter((grant) => [grant.shown, grant.project, grant.client].some((text) => text.toLowerCase().includes(wanted)));
  return (
    <>
      {error !== undefined && (
        <p className="error" role="alert">
          {t("devices.failed", { message: error })}
        </p>
      )}
      {standing?.length === 0 && <p className="quiet">{t("grants.none")}</p>}
      {standing !== undefined && standing.length > 0 && (
        <input
          type="search"
          className="line"
          aria-label={t("grants.search")}
          placeholder={t("grants.search")}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      )}
      <ul className="devices">
        {shown?.map((grant) => (
          <li key={grant.id} data-grant={grant.id}>
            <div>
              <p className="exact" dir="ltr">
                {grant.match.type === "prefix" ? t("grants.prefix", { prefix: exactText(grant.match.prefix) }) : exactText(grant.shown)}
              </p>
              <p className="quiet">
                <AgentText title={grant.project}>{`${grant.client} · ${folderName(grant.project)}`}</AgentText>
                {" · "}
                {t(`grants.scope.${grant.scope}`)}
                {" · "}
                {t("grants.left", { time: sayDuration(t, grant.expiresAt - now) })}
              </p>
            </div>
            <button type="button" className="button small danger" onClick={() => void change(() => hub.remove(grant.id))}>
              {t("grants.revoke")}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
