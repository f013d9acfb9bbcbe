import type { PromisedPage } from "../promise.ts";

export const webPage: PromisedPage = {
  page: "docs/web.md",
  promises: [
    {
      id: "web.link-logs-browser-once",
      says: "The link logs one browser in, once, within 10 minutes.",
      tests: [
        "packages/hub/test/login.test.ts > a login link > works once",
        "packages/hub/test/login.test.ts > a login link > works for 10 minutes",
        "tests/web/inbox.test.ts > a login link works once and leaves no trace in the address; a wrong one never works",
      ],
    },
    {
      id: "web.login-lasts-until-nobody",
      says: "The login then lasts until nobody has used it for 90 days, or until you end it under **Settings**, where all browsers are listed.",
      tests: [
        "packages/hub/test/login.test.ts > the devices > are logged out after 90 days of disuse, and not while they are connected",
        "tests/web/settings.test.ts > the settings > list the devices, mark this one, and log another out only after asking",
      ],
    },
    {
      id: "web.inside-coding-agent-s",
      says: "Inside a coding agent's shell `askbox open` refuses, since whoever has the link can answer.",
      tests: ["tests/command/open.test.ts > askbox open --print > is refused in an agent's shell, since whoever has the link can answer"],
    },
    {
      id: "web.open-question-list-answer",
      says: "Open a question from the list, or answer a single text in its row.",
      tests: [
        "tests/web/inline-reply.test.ts > a question in plain words says that an agent needs input, and is answered from the list",
        "tests/web/inbox.test.ts > 200 pending questions are listed, scrolled and opened",
      ],
    },
    {
      id: "web.nothing-opens-itself-because",
      says: "Nothing opens by itself, because an open question counts as seen.",
      tests: [
        "tests/web/documented-keys.test.ts > J and K go through the list, P goes back one question, 0 is the tenth option, X turns down, Escape leads to the inbox",
        "packages/core/src/testing/desk-contract/watching.ts > who has a session open is seen by all, and that it was seen is kept",
      ],
    },
    {
      id: "web.nothing-chosen-before-choose",
      says: "Nothing is chosen before you choose it.",
      tests: [
        "packages/react/test/answer-form.test.ts > nothing is chosen before the person chooses, and every required question is missing",
        "tests/web/typed-answers.test.ts > nothing is filled in, limits are told, and what is wrong is said once a field was left",
      ],
    },
    {
      id: "web.agent-recommends-suggests-marked",
      says: "What the agent recommends or suggests is marked, and taken over by a button or `R`.",
      tests: [
        "tests/web/answering.test.ts > everything works by keyboard: digits choose outside text and are text inside it",
        "tests/web/typed-answers.test.ts > all is answered by clicks: suggestions by their buttons, the date in the calendar's input",
      ],
    },
    {
      id: "web.type-kept-type-after",
      says: "What you type is kept as you type it: after a reload, and on your other devices.",
      tests: [
        "tests/web/robustness.test.ts > a reload in mid-answer loses nothing, not even the last key",
        "tests/web/robustness.test.ts > a draft follows the person to another device, live",
      ],
    },
    {
      id: "web.field-focus-belongs-device",
      says: "The field that has the focus belongs to the device you are at.",
      tests: [
        "packages/react/test/answer-form.test.ts > changes of another device come in live, but never into the field that is being edited here",
      ],
    },
    {
      id: "web.answer-taken-back-5",
      says: "An answer can be taken back for 5 seconds (0 to 30, in the preferences).",
      tests: [
        "tests/web/preferences.test.ts > an answer can be taken back for 5 seconds, or for 0 to 30 as the preferences say",
        "tests/web/robustness.test.ts > an answer can be undone before it leaves, and leaves by itself when the page is closed",
      ],
    },
    {
      id: "web.closing-page-still-sends",
      says: "Closing the page still sends it.",
      tests: ["tests/web/robustness.test.ts > an answer can be undone before it leaves, and leaves by itself when the page is closed"],
    },
    {
      id: "web.answer-waits",
      says: "The answer waits for it.",
      tests: [
        "packages/core/src/testing/asker-contract/waiting.ts > an answer that came while nobody waited is given to the next equal ask, marked late",
        "packages/core/src/testing/asker-contract/asking-again.ts > undelivered outcomes are told to their own asker until they are delivered",
        "packages/core/src/testing/asker-contract/asking-again.ts > an answer older than 15 minutes is not given to an equal ask",
        "tests/requirements/list/tickets.ts > an answer that came while nobody waited comes along with the next result, once",
        "tests/requirements/list/tickets.ts > get_answer without an id brings what was answered meanwhile, at once",
        "packages/core/test/broker.test.ts > retention > removes what was settled long enough ago in the background of an ask, and tells how many",
      ],
    },
    {
      id: "web.still-reply",
      says: "You can still reply.",
      tests: [
        "tests/web/robustness.test.ts > a question that expires while somebody types still takes the reply and says what becomes of it",
        "tests/web/history.test.ts > the history > tells a timeout and the reply after it apart, and lets one reply to a timeout",
      ],
    },
    {
      id: "web.shows-keys",
      says: "`?` | shows all keys",
      tests: [
        "tests/web/documented-keys.test.ts > each key that docs/web.md names is in the help, which ? opens",
        "tests/web/answering.test.ts > ? lists the keys, and Escape closes them without leaving the question",
      ],
    },
    {
      id: "web.search",
      says: "`/` | search",
      tests: ["tests/web/inbox.test.ts > questions are grouped by project, counted in the title, and found by search"],
    },
    {
      id: "web.j-k-next-previous",
      says: "`J`, `K` | next and previous question in the list",
      tests: [
        "tests/web/documented-keys.test.ts > J and K go through the list, P goes back one question, 0 is the tenth option, X turns down, Escape leads to the inbox",
      ],
    },
    {
      id: "web.n-open-first-question",
      says: "`N` | open the first question",
      tests: ["tests/web/answering.test.ts > everything works by keyboard: digits choose outside text and are text inside it"],
    },
    {
      id: "web.1-9-0-choose",
      says: "`1` to `9`, `0` | choose an option, outside a text",
      tests: [
        "tests/web/answering.test.ts > everything works by keyboard: digits choose outside text and are text inside it",
        "tests/web/documented-keys.test.ts > J and K go through the list, P goes back one question, 0 is the tenth option, X turns down, Escape leads to the inbox",
        "packages/react/test/helpers.test.ts > digits stand for the first ten options",
      ],
    },
    {
      id: "web.r-choose-recommended",
      says: "`R` | choose what is recommended",
      tests: ["tests/web/answering.test.ts > everything works by keyboard: digits choose outside text and are text inside it"],
    },
    {
      id: "web.ctrl-enter-next-send",
      says: "`Ctrl Enter` | next, or send",
      tests: ["tests/web/answering.test.ts > everything works by keyboard: digits choose outside text and are text inside it"],
    },
    {
      id: "web.p-back-question",
      says: "`P` | back one question",
      tests: [
        "tests/web/documented-keys.test.ts > J and K go through the list, P goes back one question, 0 is the tenth option, X turns down, Escape leads to the inbox",
      ],
    },
    {
      id: "web.x-turn-questions-down",
      says: "`X` | turn the questions down",
      tests: [
        "tests/web/documented-keys.test.ts > J and K go through the list, P goes back one question, 0 is the tenth option, X turns down, Escape leads to the inbox",
        "tests/web/answering.test.ts > a question is cancelled with a reason",
      ],
    },
    {
      id: "web.esc-back-inbox",
      says: "`Esc` | back to the inbox",
      tests: [
        "tests/web/documented-keys.test.ts > J and K go through the list, P goes back one question, 0 is the tenth option, X turns down, Escape leads to the inbox",
      ],
    },
    {
      id: "web.history-asked-whom-how",
      says: "**History** has all that was asked, by whom, and how it ended, to search, and to save as Markdown or JSON.",
      tests: [
        "tests/web/history.test.ts > the history > opens a session with its answers, comment, who settled it where, and whether the agent has it",
        "tests/web/history.test.ts > the history > is searched by questions and answers, and filtered by project, agent and outcome",
        "tests/web/history.test.ts > the history > is saved as Markdown in which a hostile text is only text",
        "tests/web/history.test.ts > the history > is saved as JSON in the shape of the command's, as far as the filter goes and beyond what is on the page",
      ],
    },
    {
      id: "web.numbers-shows-how-much",
      says: "**Numbers** shows how much is asked and how long answers take.",
      tests: ["tests/web/numbers.test.ts > the page of numbers > counts how questions ended, how long answers took, and who asked"],
    },
    {
      id: "web.hub-listens-machine-alone",
      says: "The hub listens on this machine alone.",
      tests: [
        "packages/home/test/config.test.ts > the settings > have a default each",
        "tests/command/ask-and-answer.test.ts > askbox in a shell > a question is listed, shown and answered from another process, and the hub starts by itself",
      ],
    },
    {
      id: "web.phone-needs-name-under",
      says: "For a phone it needs a name under which the phone reaches it, and a certificate: [From other machines](http.md#from-other-machines).",
      tests: ["tests/command/open.test.ts > askbox open --qr > explains how to make a hub on loopback reachable, and draws no dead code"],
    },
    {
      id: "web.askbox-open-qr-draws",
      says: "Then `askbox open --qr` draws the link.",
      tests: ["tests/command/open.test.ts > askbox open --qr > draws a link under a name of the hub that a phone can reach"],
    },
    {
      id: "web.page-installed-browser-offers",
      says: "The page can be installed where the browser offers it, and tells of questions by notifications if you let it.",
      tests: [
        "tests/web/installable.test.ts > the installed page > has a manifest whose icons are there and as large as it says",
        "tests/web/preferences.test.ts > a question that comes while the page is not in front is told by a notification, if the person lets it",
        "tests/web/inbox.test.ts > the page asks once, politely, before the browser asks about notifications",
      ],
    },
    {
      id: "web.english-chinese-light-dark",
      says: "English and Chinese, light and dark, by the browser's settings or by yours.",
      tests: [
        "tests/web/inbox.test.ts > the page speaks Chinese where the browser does, or where the person says so",
        "tests/web/preferences.test.ts > colours are the browser's until the person says otherwise",
        "apps/web/test/catalogues.test.ts > the catalogues > have the same messages with the same parameters",
        "tests/web/settings.test.ts > the settings > change language and colours at once, and keep what was chosen",
      ],
    },
    {
      id: "web.everything-works-keyboard-screen",
      says: "Everything works by keyboard and with a screen reader, at 390 pixels and up.",
      tests: [
        "tests/web/answering.test.ts > everything works by keyboard: digits choose outside text and are text inside it",
        "tests/web/accessibility.test.ts > every view is accessible, fits and keeps Submit in reach: $size, $colorScheme",
        "tests/web/history-looks.test.ts > history, numbers and settings are accessible and fit: $size, $colorScheme",
        "tests/web/inbox.test.ts > a new question appears without taking the focus or the text, and is said to screen readers",
      ],
    },
  ],
  explained: [
    {
      because: "advice",
      says: ["What the page may load, and what it does with an agent's text, is under [Security](security.md#text-from-an-agent)."],
    },
    { because: "purpose", says: ["The agent has left?", "The question timed out?"] },
  ],
};
