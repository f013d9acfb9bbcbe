/** What ran without a person, newest first: what it was, what it reaches, who let it, and what can be done about that. */
import "./ran.css";
import { type Grant, toAskboxError } from "@askbox/core";
import { clientTitle } from "@askbox/core/clients";
import { letByKinds, reaches } from "@askbox/core/questions";
import { folderName } from "@askbox/inbox";
import { grantCommand, listRan, type RanItem, type RanList } from "@askbox/inbox/list";
import { letByOf } from "@askbox/inbox/text";
import { useAskbox, useInbox, useNow } from "@askbox/react";
import { exactText } from "@askbox/terminal-text";
import { useEffect, useRef, useState } from "react";
import { useFormats } from "../i18n/formats.ts";
import { useTranslate } from "../i18n/language.tsx";
import { isolated, sayAgo } from "../i18n/phrases.ts";
import { Command } from "../inbox/beginnings.tsx";
import { useGrants } from "../settings/devices.ts";
import { AgentText } from "../ui/agent-text.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { useKeys } from "../ui/keyboard.ts";
import { setCursor, useRowCursor } from "../ui/list-cursor.ts";
import { OnMachine } from "../ui/on-machine.tsx";

interface Filter {
  text: string;
  reach?: (typeof reaches)[number] | undefined;
  by?: (typeof letByKinds)[number] | undefined;
}

/** It is read again now and then, since nothing tells of each action. */
const readEvery = 15_000;
const [pageSize, most] = [100, 1_000];

/** A list with a cursor, two lines for each action; the one under the cursor is shown whole. */
export function RanPage() {
  const t = useTranslate();
  const page = useAskbox();
  const search = useRef<HTMLInputElement>(null);
  const [filter, setFilter] = useState<Filter>({ text: "" });
  const [limit, setLimit] = useState(pageSize);
  const { listed, error } = useRan(filter, limit);
  const items = listed?.items ?? [];
  const rows = items.map(({ id }) => id);
  const cursor = useRowCursor("ran", rows);
  useKeys(({ is }) => {
    if (!is("search")) return false;
    search.current?.focus();
    return true;
  });
  const isFiltered = filter.text.trim() !== "" || filter.reach !== undefined || filter.by !== undefined;
  return (
    <main className="page ran" id="detail" tabIndex={-1} data-testid="ran">
      <div className="page-body">
        <h1>{t("ran.title")}</h1>
        {error !== undefined && (
          <p className="error" role="alert">
            {t("history.failed", { message: error })}
          </p>
        )}
        {listed?.isOn === false ? (
          <div className="nothing">
            <p className="nothing-title">{t("ran.off")}</p>
            <dl className="first-commands">
              <Command words={t("ran.off.keep")} text="askbox config set ran 7d" />
              <Command words={t("ran.off.report")} text="askbox install claude-code --approvals --ran" />
            </dl>
          </div>
        ) : (
          <search className="ran-tools">
            <input
              ref={search}
              type="search"
              value={filter.text}
              onChange={({ target }) => setFilter({ ...filter, text: target.value })}
              onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
              placeholder={t("ran.search")}
              aria-label={t("inbox.search")}
            />
            <select
              value={filter.reach ?? ""}
              onChange={({ target }) => setFilter({ ...filter, reach: reaches.find((reach) => reach === target.value) })}
              aria-label={t("ran.reach")}
            >
              <option value="">{t("ran.reach.all")}</option>
              {reaches.map((reach) => (
                <option key={reach} value={reach}>
                  {t(`approval.risk.${reach}`)}
                </option>
              ))}
            </select>
            <select
              value={filter.by ?? ""}
              onChange={({ target }) => setFilter({ ...filter, by: letByKinds.find((by) => by === target.value) })}
              aria-label={t("ran.by")}
            >
              <option value="">{t("ran.by.all")}</option>
              {letByKinds.map((by) => (
                <option key={by} value={by}>
                  {t(`ran.by.${by}`)}
                </option>
              ))}
            </select>
          </search>
        )}
        {listed?.isOn && items.length === 0 && <p className="quiet">{t(isFiltered ? "ran.nothing" : "ran.empty")}</p>}
        <Rows items={items} cursorId={cursor.id} onFocus={(id) => setCursor(page, "ran", id)} />
        {listed?.areMore && limit < most && (
          <p>
            <button type="button" className="button small" onClick={() => setLimit(Math.min(most, limit + 3 * pageSize))}>
              {t("history.more")}
            </button>
          </p>
        )}
      </div>
    </main>
  );
}

/** The newest that match. What was read last stays until the next is there. */
function useRan(filter: Filter, limit: number) {
  const { ran } = useGrants();
  const { connection } = useInbox();
  const [listed, setListed] = useState<RanList>();
  const [error, setError] = useState<string>();
  const tick = useNow(readEvery);
  const { text, reach, by } = filter;
  useEffect(() => {
    let isWanted = connection === "open";
    if (isWanted) {
      listRan({ list: ran }, { text, reach, by }, limit).then(
        (read) => {
          if (!isWanted) return;
          setListed(read);
          setError(undefined);
        },
        (thrown: unknown) => isWanted && setError(toAskboxError(thrown).message),
      );
    }
    return () => {
      isWanted = false;
    };
  }, [connection, text, reach, by, limit, tick]);
  return { listed, error };
}

/** All rows, with the grants that still stand. */
function Rows({ items, cursorId, onFocus }: { items: readonly RanItem[]; cursorId: string | undefined; onFocus(id: string): void }) {
  const hub = useGrants();
  const { clock } = useAskbox();
  const [grants, setGrants] = useState<readonly Grant[]>([]);
  const [said, setSaid] = useState<string>();
  const t = useTranslate();
  const readGrants = async () => setGrants((await hub.list()).filter(({ expiresAt }) => expiresAt > clock.now()));
  useEffect(() => {
    // Without them, everything else is still shown.
    readGrants().catch(() => {});
  }, [items.length]);
  const revoke = async (id: string) => {
    try {
      await hub.remove(id);
      await readGrants();
      setSaid(t("palette.revoked"));
    } catch (thrown) {
      setSaid(t("devices.failed", { message: toAskboxError(thrown).message }));
    }
  };
  return (
    <>
      <p className="visually-hidden" role="status">
        {said}
      </p>
      <ul className="ran-list">
        {items.map((item) => (
          <Row
            key={item.id}
            item={item}
            isPeeked={item.id === cursorId}
            onFocus={() => onFocus(item.id)}
            onRevoke={grants.some(({ id }) => item.by.kind === "grant" && id === item.by.name) ? revoke : undefined}
          />
        ))}
      </ul>
    </>
  );
}

interface RowProps {
  item: RanItem;
  isPeeked: boolean;
  onFocus(): void;
  /** Undefined unless a grant that still stands let it. */
  onRevoke: ((grant: string) => void) | undefined;
}

function Row({ item, isPeeked, onFocus, onRevoke }: RowProps) {
  const t = useTranslate();
  const now = useNow(10_000);
  const { moment } = useFormats();
  const { id, at, by, client, project, machine, tool, what, cwd, reach, failed } = item;
  const who = t(`let.${letByOf(by)}`, { client: isolated(clientTitle(client)), name: isolated(by.name ?? "") });
  const rule = by.kind === "grant" ? undefined : grantCommand(item);
  const exact = exactText(what);
  return (
    <li
      className="ran-row"
      data-testid="ran-row"
      data-row={id}
      data-peeked={isPeeked || undefined}
      tabIndex={isPeeked ? 0 : -1}
      onFocus={onFocus}
    >
      <p className="ran-what exact" dir="ltr">
        {tool !== undefined && <AgentText className="quiet">{tool}</AgentText>} {isPeeked ? exact : exact.replace(/\s+/g, " ")}
      </p>
      <time className="quiet" dateTime={new Date(at).toISOString()} title={moment(at)}>
        {sayAgo(t, at, now)}
      </time>
      <p className="ran-about quiet">
        {reach.map((each) => (
          <span key={each} className="ran-reach" data-reach={each}>
            {t(`approval.risk.${each}`)}
          </span>
        ))}
        {failed && <span className="ran-reach">{t("ran.failed")}</span>}
        <span>{t("ran.let", { who })}</span>
        {project !== undefined && <AgentText title={cwd ?? project}>{folderName(project)}</AgentText>}
        <OnMachine machine={machine} />
      </p>
      {isPeeked && (onRevoke !== undefined || rule !== undefined) && (
        <p className="ran-tools">
          {onRevoke !== undefined && (
            <button type="button" className="button small danger" onClick={() => onRevoke(by.name ?? "")}>
              {t("grants.revoke")}
            </button>
          )}
          {rule !== undefined && (
            <>
              <span className="quiet">{t("ran.rule")}</span>
              <code dir="ltr">{exactText(rule)}</code>
              <CopyButton text={rule} />
            </>
          )}
        </p>
      )}
    </li>
  );
}
