/** The history as a file: as JSON or Markdown, of one session or of all that the filter finds, up to a bound. */
import { type Action, type AnswerSet, type SessionView, toAskboxError } from "@askbox/core";
import { clientTitle } from "@askbox/core/clients";
import { aboutNumber, actionParts, commentText, isReply, messageText } from "@askbox/core/questions";
import { sessionTitle } from "@askbox/inbox";
import { useAskbox } from "@askbox/react";
import { exactText, terminalLine, terminalText } from "@askbox/terminal-text";
import { useState } from "react";
import { download, fileName } from "../attach/files-client.ts";
import { type Formats, useFormats } from "../i18n/formats.ts";
import { useTranslate } from "../i18n/language.tsx";
import { sayActor } from "../i18n/phrases.ts";
import { sayGiven } from "../i18n/say-answer.ts";
import type { Translate } from "../i18n/translate.ts";
import { outcomeTitle } from "../session/outcome.tsx";
import { Icon } from "../ui/icons.tsx";
import { laterIcons } from "../ui/later-icons.ts";
import { factsOf } from "./facts.tsx";
import { type HistoryFilter, settledPages } from "./use-history.ts";

/** The maximum number of sessions in one file: what a browser can create and an editor can open. */
const bound = 5_000;

type Format = "markdown" | "json";

/** Exports one session, or all that match a filter. */
export function ExportButtons({
  session,
  filter,
}: { session: SessionView; filter?: undefined } | { session?: undefined; filter: HistoryFilter }) {
  const t = useTranslate();
  const formats = useFormats();
  const { desk, clock } = useAskbox();
  const [said, setSaid] = useState("");
  const [isBusy, setIsBusy] = useState(false);

  const save = async (format: Format) => {
    setIsBusy(true);
    setSaid("");
    try {
      const found = session === undefined ? await readAll() : { sessions: [session], isCut: false };
      const stem = session === undefined ? "askbox-history" : `askbox-${session.id.slice(0, 8)}`;
      if (format === "json") {
        // The format of `askbox list --json`; for one session, that of `askbox show --json`.
        const text = `${JSON.stringify(session ?? found.sessions, undefined, 2)}\n`;
        download(clock, fileName(stem, clock.now(), "json"), new Blob([text], { type: "application/json" }));
      } else {
        const text = session === undefined ? historyMarkdown(found.sessions, t, formats) : sessionMarkdown(session, t, formats);
        download(clock, fileName(stem, clock.now(), "md"), new Blob([text], { type: "text/markdown;charset=utf-8" }));
      }
      setSaid(found.isCut ? t("export.cut", { count: formats.count(bound) }) : t("export.done", { count: found.sessions.length }));
    } catch (thrown) {
      setSaid(t("export.failed", { message: toAskboxError(thrown).message }));
    } finally {
      setIsBusy(false);
    }
  };
  const readAll = async () => {
    const sessions: SessionView[] = [];
    let isCut = false;
    for await (const { items, hasMore } of settledPages(desk, { filter, bound })) {
      sessions.push(...items);
      isCut = hasMore;
    }
    return { sessions, isCut };
  };

  return (
    <div className="export">
      <span className="quiet">
        <Icon name={laterIcons.download} />
        {t(session === undefined ? "export.list" : "export.session")}
      </span>
      <button type="button" className="link-button" disabled={isBusy} onClick={() => void save("markdown")}>
        Markdown
      </button>
      <button type="button" className="link-button" disabled={isBusy} onClick={() => void save("json")}>
        JSON
      </button>
      <span role="status" className="quiet">
        {said}
      </span>
    </div>
  );
}

/** A session as Markdown. Texts of agents and people appear as written: none becomes a link, an image or a tag. */
export function sessionMarkdown(session: SessionView, t: Translate, formats: Formats): string {
  const { outcome, reply } = session;
  const facts = factsOf(session, t, formats).map(({ name, value }) => `- ${t(name)}: ${escapeMarkdown(value)}`);
  const blocks = [
    `## ${escapeMarkdown(sessionTitle(session)) || t("session.untitled")}`,
    `**${escapeMarkdown(outcome === undefined ? t("history.pending") : withoutIsolates(outcomeTitle(t, session, false)))}**`,
    facts.join("\n"),
    ...(outcome?.kind === "cancelled" && outcome.reason !== undefined ? [quotedText(t("outcome.reason", { reason: outcome.reason }))] : []),
    ...answerBlocks(session, outcome?.kind === "answered" ? outcome : undefined, t),
    ...(reply === undefined ? [] : [`### ${t("history.reply")}`, ...answerBlocks(session, reply, t)]),
    ...threadBlocks(session, t, formats),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function answerBlocks(session: SessionView, answerSet: AnswerSet | undefined, t: Translate): string[] {
  const blocks = session.questions.flatMap((question) => {
    const answer = answerSet?.answers.find(({ questionId }) => questionId === question.id);
    const text = answer === undefined ? "" : sayGiven(t, question, answer);
    const nothing = `*${t(answerSet === undefined ? "history.unanswered" : "question.skipped")}*`;
    return [
      `### ${t("export.question")}`,
      quotedText(question.question),
      ...("action" in question ? actionBlocks(question.action, session.asker.machine, t) : []),
      `#### ${t("export.answer")}`,
      text === "" ? nothing : quotedText(text),
      ...(answer?.input === undefined ? [] : [fencedText(exactText(JSON.stringify(answer.input, undefined, 2)))]),
      ...(answer?.note === undefined ? [] : [quotedText(t("review.note", { note: answer.note }))]),
    ];
  });
  const comment = commentText(answerSet ?? {});
  return comment === "" ? blocks : [...blocks, `### ${t("review.comment")}`, quotedText(comment)];
}

/** The whole action that was approved or denied, with invisible characters replaced by their code points. */
function actionBlocks(action: Action, machine: string | undefined, t: Translate): string[] {
  return actionParts(action, machine).flatMap(({ name, text }) => [`#### ${t(`approval.part.${name}`)}`, fencedText(exactText(text))]);
}

/** The thread with the agent, with who wrote each message and when. */
function threadBlocks({ asker, questions, thread = [] }: SessionView, t: Translate, formats: Formats): string[] {
  if (thread.length === 0) return [];
  const messages = thread.flatMap((message) => {
    const number = aboutNumber(questions, message);
    const who = isReply(message) ? clientTitle(asker.client.name) : t("thread.asked", { where: withoutIsolates(sayActor(t, message.by)) });
    const facts = [who, ...(number === 0 ? [] : [t("thread.about", { number })]), formats.moment(message.at)];
    return [`#### ${escapeMarkdown(facts.join(", "))}`, quotedText(messageText(message))];
  });
  return [`### ${t("thread.title")}`, ...messages];
}

/** A document of several sessions, with their number in the heading. */
function historyMarkdown(sessions: readonly SessionView[], t: Translate, formats: Formats): string {
  const heading = `# ${t("export.title", { count: sessions.length })}`;
  return [heading, ...sessions.map((session) => sessionMarkdown(session, t, formats))].join("\n\n");
}

/** A text file has no direction that needs isolating. */
const withoutIsolates = (phrase: string): string => phrase.replace(/[\u2068\u2069]/g, "");

/** Everything with a meaning in CommonMark or GFM, anywhere in a line, including what turns a bare address into a link. */
const significant = /[\\`*_{}[\]()<>#+\-.!|~&$=^:@]/g;
/** Escapes text as a single line of Markdown that only displays it. */
function escapeMarkdown(text: string): string {
  return terminalLine(text).replace(significant, "\\$&");
}

/** Several lines of text as a code block, whose fence the text can't close. */
function fencedText(text: string): string {
  const shown = terminalText(text);
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}text\n${shown}\n${fence}`;
}

/** Text in the smallest form that preserves it. */
function quotedText(text: string): string {
  return text.trim().includes("\n") ? fencedText(text) : escapeMarkdown(text);
}
