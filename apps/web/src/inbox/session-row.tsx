import type { Draft, SessionView } from "@askbox/core";
import { clientTitle } from "@askbox/core/clients";
import { cut, isReply, offeredOptions, traitsOf } from "@askbox/core/questions";
import { agentHasLeft, folderName, isPlainAsk, proposedValues, questionLine, sessionTitle } from "@askbox/inbox";
import type { Grouping } from "@askbox/inbox/list";
import { useTimed } from "@askbox/react";
import { terminalLine } from "@askbox/terminal-text";
import { memo } from "react";
import { sayOwnOption } from "../i18n/first-phrases.ts";
import { useTranslate } from "../i18n/language.tsx";
import type { Translate } from "../i18n/translate.ts";
import { Link, sessionPath } from "../router/router.tsx";
import { AgentText } from "../ui/agent-text.tsx";
import { Icon } from "../ui/icons.tsx";
import { later } from "../ui/later.tsx";
import { RowTime } from "./deadline.tsx";
import { sayKind, signIcon } from "./kind.ts";

/** Where there is no preview to answer from. */
const RowAnswer = later(async () => (await import("./row-answer.tsx")).RowAnswer);

/** Most people have one machine. */
const OnMachine = later(async () => (await import("../ui/on-machine.tsx")).OnMachine);

interface SessionRowProps {
  session: SessionView;
  isOpen: boolean;
  /** Whether it is shown next to the list. */
  isPeeked: boolean;
  hasDraft: boolean;
  scheduled: Draft["scheduled"];
  /** What the heading above names; not repeated here. */
  group: Grouping | undefined;
  /** Whether there is only the list, so that a question may be answered in its row. */
  isAlone: boolean;
  /** Undefined unless questions can be selected. */
  isSelected: boolean | undefined;
  onSelect(id: string): void;
}

/** One pending session in the list. */
export const SessionRow = memo(function SessionRow(props: SessionRowProps) {
  const { session, isOpen, isPeeked, hasDraft, scheduled, group, isAlone, isSelected, onSelect } = props;
  const t = useTranslate();
  const { asker } = session;
  const title = sessionTitle(session);
  const name = terminalLine(title);
  const excerpt = excerptOf(t, session, title);
  // The form of an open one says what becomes of its answer.
  const isSending = scheduled !== undefined && !isOpen;
  const draft = hasDraft && !isOpen ? t("inbox.draft") : undefined;
  const mark = isSending ? t("inbox.sending") : (threadState(t, session) ?? draft);
  const takesAnswer = isAlone && session.questions.length === 1 && !isOpen && scheduled === undefined;
  return (
    <li data-selected={isSelected || undefined}>
      {isSelected !== undefined && (
        <label className="row-select">
          <input type="checkbox" checked={isSelected} onChange={() => onSelect(session.id)} />
          <span className="visually-hidden">{t("inbox.select.label", { title: name })}</span>
        </label>
      )}
      <Link
        href={sessionPath(session.id)}
        className="row"
        aria-current={isOpen ? "true" : undefined}
        data-peeked={isPeeked || undefined}
        data-session={session.id}
      >
        <span className="row-icon">
          <Icon name={signIcon(session)} />
        </span>
        <span className="row-head">
          <AgentText className="row-title">{title}</AgentText>
          <span className="row-time">
            <RowTime session={session} />
          </span>
        </span>
        <span className="row-foot">
          {/* Also without text: what comes and goes beside it moves nothing. */}
          <AgentText className="row-excerpt">{excerpt}</AgentText>
          <span className="row-kind">{sayKind(t, session)}</span>
          {mark !== undefined && <span className="mark">{mark}</span>}
          <AskerState session={session} />
          <span className="row-meta">
            <AgentText className="row-client">{clientTitle(asker.client.name)}</AgentText>
            {group !== "project" && asker.project !== undefined && <AgentText title={asker.project}>{folderName(asker.project)}</AgentText>}
            {asker.machine !== undefined && <OnMachine machine={asker.machine} group={group} />}
          </span>
        </span>
      </Link>
      {takesAnswer && <RowAnswer session={session} title={name} />}
    </li>
  );
});

/** Roughly what a row has room for, in characters. */
const maxExcerpt = 120;

/**
 * The question; if the title already is that, its options, the agent's suggestion, or that it waits for words. Empty if there is nothing to
 * say beside its kind.
 */
function excerptOf(t: Translate, session: SessionView, title: string): string {
  const [first] = session.questions;
  if (first === undefined) return "";
  if ("denial" in first && first.denial !== undefined) return cut(first.denial.reason ?? "", maxExcerpt, "");
  const line = questionLine(first);
  if (line !== title) return cut(line, maxExcerpt, "");
  // Of the steps of a scale, only a suggested one says something.
  const options = (traitsOf(first).widget === "scale" ? [] : offeredOptions(first)).map(
    ({ value, label }) => sayOwnOption(t, first, value) ?? label,
  );
  if (options.length > 0) return cut(options.join(" · "), maxExcerpt, "");
  const [proposed] = proposedValues(first);
  if (proposed !== undefined) return t("inbox.suggested", { value: cut(proposed.replace(/\s+/g, " "), maxExcerpt, "") });
  return isPlainAsk(session) ? t("session.needsInput") : "";
}

/** Where asking the agent back stands. */
function threadState(t: Translate, { thread = [] }: SessionView): string | undefined {
  const last = thread.at(-1);
  if (last === undefined) return undefined;
  return t(isReply(last) ? "inbox.replied" : "inbox.asked");
}

/** Whether the agent is still waiting. */
export function AskerState({ session }: { session: SessionView }) {
  const t = useTranslate();
  const left = useTimed((now) => agentHasLeft(session, now));
  const { asker } = session.presence;
  return (
    <span className="asker-state" data-state={left ? "left" : asker}>
      {left ? t("presence.left") : t(`presence.${asker}`)}
    </span>
  );
}
