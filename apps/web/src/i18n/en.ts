import { kindNames } from "@askbox/inbox/text";
import type { enLater } from "./en-later.ts";
import type { Plural } from "./plural.ts";
import { prefixed } from "./prefixed.ts";

/** All texts of the first paint. `{name}` is a placeholder. The others are in `en-later.ts` and the files it imports. */
export const en = {
  ...prefixed("kind", kindNames),
  "app.name": "askbox",
  "app.skip": "Skip to the question",
  "app.skip.content": "Skip to the content",
  "nav.inbox": "Inbox",
  "nav.agents": "Agents",
  "nav.history": "History",
  "nav.numbers": "Numbers",
  "nav.settings": "Settings",
  "nav.main": "Main",
  "header.keys": "Keyboard shortcuts",
  "palette.title": "Go to or do anything",

  "gate.title": "This inbox is locked",
  "gate.how": "Run this command on the machine where your agents work. It opens this page with a one-time login link.",
  "gate.command": "askbox open",
  "gate.phone": "From a phone, run {command} there and scan the code.",
  "gate.used": "This login link has been used or is older than 10 minutes. Open a new one:",
  "gate.revoked": "This browser is no longer logged in. Open a new login link:",
  "gate.host": "Log in to the program that this inbox is part of, then reload this page.",
  "gate.failed": "The hub could not be reached, so the login link was not used. Reload this page to try again.",

  "connection.connecting": "Connecting to the hub…",
  "connection.lost": "Connection to the hub lost. Reconnecting; what you type is kept.",
  "connection.start": "If it has stopped, run {command} on its machine.",
  "connection.stopped": "The hub was stopped. Run {command} on its machine to start it; what you type is kept.",
  "connection.ended": "The demo has ended. Run {command} to set up your own agents.",
  "connection.back": "Reconnected.",
  "connection.closed": "The hub refused this page: {reason}",
  "update.ready": "A newer version of this page is available.",
  "update.reload": "Reload",

  "inbox.title": "Inbox",
  "inbox.count": { one: "{count} question waiting", other: "{count} questions waiting" },
  "inbox.loading": "Loading questions…",
  "inbox.search": "Search",
  "inbox.search.hint": "Search questions…",
  "inbox.project": "Project",
  "inbox.project.all": "All projects",
  "inbox.project.none": "No project",
  "inbox.nothing": "No questions match your search.",
  "inbox.found": { one: "{count} of {total}", other: "{count} of {total}" },
  "inbox.search.clear": "Clear the search",
  "inbox.select.label": "Select {title}",
  "inbox.selected": "{count} selected",
  "inbox.list": "Questions",
  "inbox.draft": "Draft",
  "inbox.asked": "Asked; waiting for the agent",
  "inbox.replied": "Replied",
  "inbox.sending": "Sending",

  "kind.each": "{count} questions: {kinds}",

  "presence.attached": "Agent waiting",
  "presence.will_ask_again": "Agent will ask again",
  "presence.away": "Agent is away",
  "presence.left": "Agent left",
  "presence.also": "Also open {where}",

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
