import type { Action, AnswerSet, SessionView } from "@askbox/core";
import { clientTitle } from "@askbox/core/clients";
import { aboutNumber, actionParts, commentText, isReply, messageText } from "@askbox/core/questions";
import { sessionTitle } from "@askbox/inbox";
import { exactText } from "@askbox/terminal-text";
import type { Formats } from "../../i18n/formats.ts";
import { sayActor } from "../../i18n/phrases.ts";
import { sayAnswer } from "../../i18n/say-answer.ts";
import type { Translate } from "../../i18n/translate.ts";
import { outcomeTitle } from "../../session/outcome.tsx";
import { factsOf } from "../facts.ts";
import { escapeMarkdown, fencedText, quotedText } from "./escape-markdown.ts";

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
    const text = answer === undefined ? "" : sayAnswer(t, question, answer);
    const nothing = `*${t(answerSet === undefined ? "history.unanswered" : "question.skipped")}*`;
    return [
      `### ${t("export.question")}`,
      quotedText(question.question),
      ...("action" in question ? actionBlocks(question.action, t) : []),
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
function actionBlocks(action: Action, t: Translate): string[] {
  return actionParts(action).flatMap(({ name, text }) => [`#### ${t(`approval.part.${name}`)}`, fencedText(exactText(text))]);
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
export function historyMarkdown(sessions: readonly SessionView[], t: Translate, formats: Formats): string {
  const heading = `# ${t("export.title", { count: sessions.length })}`;
  return [heading, ...sessions.map((session) => sessionMarkdown(session, t, formats))].join("\n\n");
}

/** A text file has no direction that needs isolating. */
const withoutIsolates = (phrase: string): string => phrase.replace(/[\u2068\u2069]/g, "");
