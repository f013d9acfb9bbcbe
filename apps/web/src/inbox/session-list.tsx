import type { SessionView } from "@askbox/core";
import { filterSessions, folderName, groupByProject, sortSessions, splitByPresence, useInbox, useNow } from "@askbox/react";
import { terminalLine } from "@askbox/terminal-text";
import { type ReactNode, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from "react";
import { canNotify, turnNotificationsOn } from "../alerts/notify.ts";
import { useTranslate } from "../i18n/language.tsx";
import { navigate, sessionPath } from "../router/router.tsx";
import { changeSettings, useSettings } from "../settings/settings.ts";
import { AgentText } from "../ui/agent-text.tsx";
import { isControl } from "../ui/keyboard.ts";
import { useKeys } from "../ui/use-key.ts";
import { SessionRow } from "./session-row.tsx";

/** All pending sessions, by project, with those whose agent has left folded at the end. */
export function SessionList({ openId }: { openId: string | undefined }) {
  const t = useTranslate();
  const { pending, drafts, ready } = useInbox();
  const { sort } = useSettings();
  const [text, setText] = useState("");
  const [project, setProject] = useState<string>();
  const search = useRef<HTMLInputElement>(null);
  const sought = useDeferredValue(text);
  // Who has left changes by the minute.
  const now = useNow(10_000);

  const projects = useMemo(() => {
    const names = [...pending.values()].flatMap(({ asker }) => (asker.project === undefined ? [] : [asker.project]));
    return [...new Set(names)].sort((a, b) => folderName(a).localeCompare(folderName(b)));
  }, [pending]);
  const { groups, left } = useMemo(() => {
    const found = filterSessions(pending.values(), { text: sought, project });
    const split = splitByPresence(sortSessions(found, sort), now);
    return { groups: groupByProject(split.waiting), left: split.left };
  }, [pending, sought, project, sort, now]);
  const shown = [...groups.flatMap((group) => group.sessions), ...left];

  useKeys(({ is }) => {
    const index = shown.findIndex((session) => session.id === openId);
    const opens = is("open") && openId === undefined && !isControl(document.activeElement);
    const target = is("down") ? shown[index + 1] : is("up") ? shown[Math.max(0, index - 1)] : opens ? shown[0] : undefined;
    if (is("search")) search.current?.focus();
    else if (target !== undefined) navigate(sessionPath(target.id));
    else return false;
    return true;
  });

  // Back from a question, the focus is where it left the list.
  const lastOpen = useRef<string>(undefined);
  useEffect(() => {
    if (openId !== undefined) lastOpen.current = openId;
    else if (lastOpen.current !== undefined && document.activeElement === document.body) {
      document.querySelector<HTMLElement>(`[data-session="${CSS.escape(lastOpen.current)}"]`)?.focus();
    }
  }, [openId]);

  const row = (session: SessionView, showsFolder: boolean) => {
    const draft = drafts.get(session.id);
    const hasDraft = draft !== undefined && (Object.keys(draft.fields).length > 0 || draft.comment !== undefined);
    return (
      <SessionRow
        key={session.id}
        session={session}
        isOpen={session.id === openId}
        hasDraft={hasDraft}
        isScheduled={draft?.scheduled !== undefined}
        showsFolder={showsFolder}
      />
    );
  };

  return (
    <section className="list" aria-label={t("inbox.list")}>
      {pending.size > 0 && (
        <search className="list-tools">
          <input
            ref={search}
            type="search"
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Escape") event.currentTarget.blur();
            }}
            placeholder={t("inbox.search.hint")}
            aria-label={t("inbox.search")}
          />
          <select
            value={sort}
            onChange={(event) => changeSettings({ sort: event.target.value === "newest" ? "newest" : "deadline" })}
            aria-label={t("inbox.sort")}
          >
            <option value="deadline">{t("inbox.sort.deadline")}</option>
            <option value="newest">{t("inbox.sort.newest")}</option>
          </select>
          {projects.length > 1 && (
            <select value={project ?? ""} onChange={(event) => setProject(event.target.value || undefined)} aria-label={t("inbox.project")}>
              <option value="">{t("inbox.project.all")}</option>
              {projects.map((path) => (
                <option key={path} value={path}>
                  {terminalLine(folderName(path))}
                </option>
              ))}
            </select>
          )}
        </search>
      )}
      <NotifyQuestion />
      {!ready && <p className="quiet list-note">{t("inbox.loading")}</p>}
      {ready && pending.size === 0 && <Nothing />}
      {ready && pending.size > 0 && shown.length === 0 && <p className="quiet list-note">{t("inbox.nothing")}</p>}
      {groups.map((group) => (
        <Group
          key={group.project ?? ""}
          title={group.project}
          name={group.project === undefined ? t("inbox.project.none") : folderName(group.project)}
        >
          {group.sessions.map((session) => row(session, false))}
        </Group>
      ))}
      {left.length > 0 && (
        <details className="left">
          <summary>{t("inbox.left", { count: left.length })}</summary>
          <ul>{left.map((session) => row(session, true))}</ul>
        </details>
      )}
    </section>
  );
}

function Group({ title, name, children }: { title: string | undefined; name: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="group" aria-labelledby={id}>
      <h2 id={id} title={title === undefined ? undefined : terminalLine(title)}>
        <AgentText>{name}</AgentText>
      </h2>
      <ul>{children}</ul>
    </section>
  );
}

function Nothing() {
  const t = useTranslate();
  return (
    <div className="nothing">
      <p className="nothing-title">{t("inbox.empty.title")}</p>
      <p className="quiet">{t("inbox.empty.text")}</p>
    </div>
  );
}

/** Asked once, in words, before the browser asks in its own. */
function NotifyQuestion() {
  const t = useTranslate();
  const { notify } = useSettings();
  if (notify !== "unasked" || !canNotify()) return null;
  return (
    <div className="notify">
      <p>{t("alerts.ask")}</p>
      <button type="button" className="button small" onClick={() => void turnNotificationsOn()}>
        {t("alerts.yes")}
      </button>
      <button type="button" className="button small quiet-button" onClick={() => changeSettings({ notify: "off" })}>
        {t("alerts.no")}
      </button>
    </div>
  );
}
