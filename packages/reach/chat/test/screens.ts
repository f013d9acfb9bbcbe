import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { launchBrowser } from "../../../../tests/web/support/browser.ts";
import { discordChat } from "./support/discord-service.ts";
import { stage } from "./support/network.ts";
import { allowing, permission, scene, select } from "./support/scene.ts";
import type { Seen, TestedChat } from "./support/service.ts";
import { slackChat } from "./support/slack-service.ts";
import { telegramChat } from "./support/telegram-service.ts";

/** Takes `docs/images/chats.png` of what the stand-ins of the chat services got from a real chat desk. Run `pnpm build` first. */
const ends: (() => void)[] = [];
stage.atEnd = (end) => void ends.unshift(end);

/** A question, an action, and a question that was answered in the browser, as one service got them. */
async function messagesOf(chat: TestedChat): Promise<Seen[]> {
  const { posted, shows, desk } = await scene(chat, { settings: allowing });
  const options = ["Postgres", "SQLite", "Neither"];
  const storage = { title: "Storage", questions: [select(options, { question: "Which database should the service use?" })] };
  const open = await posted(storage);
  const action = await posted({
    title: "Release",
    questions: [permission({ command: "pnpm release --tag next", cwd: "/home/ada/engine" }, { question: "May I run this command?" })],
  });
  const settled = await posted({ ...storage, title: "Cache" });
  await desk.answer(settled.id, { answers: [{ questionId: "q_1", values: ["SQLite"] }] });
  await shows(settled.message, "Answered by");
  return [open.message, action.message, settled.message];
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function htmlOf({ text, marks, buttons, edits }: Seen): string {
  let [rest, html] = [text, ""];
  const shown = marks.map(({ kind, text: whole }) => ({ kind, words: whole.replace(/^(?:\*\*|```\n)|(?:\*\*|\n```)$/g, "") }));
  const places = shown.flatMap(({ kind, words }) => {
    const tag = kind === "bold" ? "b" : /pre|code|block/.test(kind) ? "code" : undefined;
    return tag === undefined ? [] : [{ tag, words, at: text.indexOf(words) }];
  });
  for (const { tag, words } of places.toSorted((one, other) => one.at - other.at)) {
    const at = rest.indexOf(words);
    if (at < 0) continue;
    html += `${escaped(rest.slice(0, at))}<${tag}>${escaped(words)}</${tag}>`;
    rest = rest.slice(at + words.length).replace(tag === "code" ? /^\n/ : /^$/, "");
  }
  const below = buttons.map(({ label }) => `<span>${escaped(label)}</span>`).join("");
  return `<article><p>${html}${escaped(rest)}</p><div>${below}</div>${edits > 0 ? "<i>edited</i>" : ""}</article>`;
}

const style = `body{margin:0;padding:20px;display:grid;grid-template-columns:repeat(3,1fr);gap:20px;background:#eef0f2;color:#1b1f23;font:14px/1.45 sans-serif}
h2{margin:0 0 8px;font-size:15px}article{margin:0 0 12px;padding:12px;border-radius:10px;background:#fff}p{margin:0;white-space:pre-wrap}
code{display:block;padding:4px 8px;border-radius:6px;background:#eef0f2;font-size:13px}div{display:flex;flex-wrap:wrap;gap:6px;margin-top:8px}
div:empty{display:none}span{padding:4px 10px;border:1px solid #9aa4ae;border-radius:6px}i{color:#59636e;font-size:12px}`;

try {
  const columns: string[] = [];
  for (const chat of [telegramChat, slackChat, discordChat])
    columns.push(`<section><h2>${chat.title}</h2>${(await messagesOf(chat)).map(htmlOf).join("")}</section>`);
  const browser = await launchBrowser();
  ends.unshift(() => void browser.close());
  const page = await browser.newPage({ viewport: { width: 1080, height: 400 } });
  await page.setContent(`<style>${style}</style>${columns.join("")}`);
  writeFileSync(
    resolve(import.meta.dirname, "../../../../docs/images/chats.png"),
    await page.screenshot({ fullPage: true, animations: "disabled" }),
  );
} finally {
  for (const end of ends) end();
}
