import type { SessionView } from "@askbox/core";
import { type Grouping, groupSessions, type SessionKind } from "@askbox/inbox/list";
import { terminalLine } from "@askbox/terminal-text";
import { type ReactNode, useId } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { sayPlace } from "../i18n/say-place.ts";
import type { Translate } from "../i18n/translate.ts";
import { AgentText } from "../ui/agent-text.tsx";
import { sayKindName } from "./kind.ts";
import { Rows } from "./rows.tsx";

interface GroupsProps {
  by: Grouping;
  sessions: readonly SessionView[];
  /** The session under the cursor. */
  near: string | undefined;
  row(session: SessionView, group: Grouping): ReactNode;
}

/** The list in groups, each below its name. */
export function Groups({ by, sessions, near, row }: GroupsProps) {
  const t = useTranslate();
  return groupSessions(sessions, by).map(({ value, sessions }) => (
    <Group key={value ?? ""} title={by === "project" ? value : undefined} name={sayGroup(t, by, value)}>
      <Rows sessions={sessions} near={near} row={(session) => row(session, by)} />
    </Group>
  ));
}

/** The name of a group. */
function sayGroup(t: Translate, by: Grouping, value: string | undefined): string {
  if (value === undefined)
    return t(by === "machine" ? "inbox.machine.own" : by === "repository" ? "inbox.repository.none" : "inbox.project.none");
  return by === "kind" ? sayKindName(t, value as SessionKind) : by === "project" ? sayPlace(t, value) : value;
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
