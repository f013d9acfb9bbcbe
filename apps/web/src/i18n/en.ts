import { signNames } from "@askbox/inbox/text";
import type { enLater } from "./en-later.ts";
import type { Plural } from "./plural.ts";
import { prefixed } from "./prefixed.ts";

/** All texts of the first paint. `{name}` is a placeholder. The others are in `en-later.ts` and the files it imports. */
export const en = {
  ...prefixed("kind", signNames),
  "app.name": "askbox",
  "app.skip": "Skip to the question",
  "app.skip.content": "Skip to the content",
  "nav.inbox": "Inbox",
  "nav.agents": "Agents",
  "nav.history": "History",
  "nav.ran": "Ran",
  "nav.numbers": "Numbers",
  "nav.settings": "Settings",
  "nav.main": "Main",
  "header.keys": "Keyboard shortcuts",
  "palette.title": "Go to or do anything",

  "inbox.title": "Inbox",
  "inbox.count": { one: "{count} question waiting", other: "{count} questions waiting" },
  "inbox.loading": "Loading questions…",
  "inbox.search": "Search",
  "inbox.search.hint": "Search questions…",
  "inbox.search.clear": "Clear the search",
  "inbox.list": "Questions",
  "inbox.draft": "Draft",
  "inbox.asked": "Asked; waiting for the agent",
  "inbox.replied": "Replied",
  "inbox.suggested": "Suggested: {value}",
  "inbox.sending": "Sending",

  "kind.each": "{count} questions: {kinds}",

  "presence.attached": "Agent waiting",
  "presence.will_ask_again": "Agent will ask again",
  "presence.away": "Agent is away",
  "presence.left": "Agent left",

  "time.seconds": "{count} s",
  "time.minutes": "{count} min",
  "time.hours": "{count} h",
  "time.days": { one: "{count} day", other: "{count} days" },
  "time.now": "now",
  "time.ago": "{time} ago",

  "question.yes": "Yes",
  "question.no": "No",
  "document.approve": "Approve",
  "document.approve_with_comments": "Approve with comments",
  "document.request_changes": "Request changes",

  "session.needsInput": "Agent needs input",
} as const satisfies Record<string, string | Plural>;

/** The texts of each part in a language: a missing key does not compile. */
export type FirstTexts = Record<keyof typeof en, string | Plural>;
export type LaterTexts = Record<keyof typeof enLater, string | Plural>;
export type Catalogue = FirstTexts & LaterTexts;
export type MessageKey = keyof Catalogue;
