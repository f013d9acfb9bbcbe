import type { PromisedPage } from "../promise.ts";

export const readmeWaysPage: PromisedPage = {
  page: "README.md",
  promises: [
    {
      id: "readme.running-hub-also-serves",
      says: "A running hub also serves MCP over HTTP, at `/mcp` and for the oldest clients at `/sse`: `askbox install CLIENT --http` enters it, and [MCP over HTTP](docs/http.md) has the rest.",
      tests: [
        "apps/mcp-http/test/mcp-revisions.test.ts > MCP over HTTP > serves revision %s with a session",
        "apps/mcp-http/test/mcp-sse.test.ts > MCP of revision 2024-11-05 at /sse and /messages > brings an answer over the stream, and counts it as delivered",
        "tests/clients/install-command.test.ts > askbox install > --http names the hub's address and where the token is, and puts it in no file",
      ],
    },
    {
      id: "readme.servers-your-own-can",
      says: "Servers of your own can ask through askbox, or through whatever form their client has, with one call: [`elicit()`](docs/elicit.md).",
      tests: [
        "packages/mcp/test/elicit/contract.test.ts > Basic usage > in %s: the tool goes on when its person confirms",
        "packages/mcp/test/elicit/contract.test.ts > Fallback elicitation > in %s: the pending result has the contract's shape",
        "packages/mcp/test/elicit/inbox.test.ts > elicit() through the inbox, for a client of %s > takes a wizard of three steps through it in one run",
      ],
    },
    {
      id: "readme.tells-other-systems-questions",
      says: "It tells other systems of questions too, by signed [webhooks and ntfy pushes](docs/webhooks.md), and scripts can follow the inbox at `/api/events`.",
      tests: [
        "tests/command/webhooks.test.ts > a hub tells its config's webhooks of a question and its answer, signed by a secret in a file, and status says how they do",
        "packages/webhooks/test/ntfy.test.ts > pushes who asks what to the topic, with a link to the question, in any script",
        "packages/hub/test/events.test.ts > GET /api/events > tells a snapshot, then every change in order, as server-sent events",
      ],
    },
    {
      id: "readme.questions-appear-while-page",
      says: "Questions appear while the page is open; what you type is kept as you type it, on every device.",
      tests: [
        "tests/web/inbox.test.ts > a new question appears without taking the focus or the text, and is said to screen readers",
        "tests/web/robustness.test.ts > a reload in mid-answer loses nothing, not even the last key",
        "tests/web/robustness.test.ts > a draft follows the person to another device, live",
      ],
    },
    {
      id: "readme.everything-works-keyboard-shows",
      says: "Everything works by keyboard, and `?` shows the keys.",
      tests: [
        "tests/web/answering.test.ts > everything works by keyboard: digits choose outside text and are text inside it",
        "tests/web/answering.test.ts > ? lists the keys, and Escape closes them without leaving the question",
        "tests/web/typed-answers.test.ts > all is answered by keys, one question at a time, and Enter goes on",
      ],
    },
    {
      id: "readme.history-all-was-asked",
      says: "[History](docs/images/history-wide-light.png) has all that was asked, to search and to save as Markdown or JSON; [Numbers](docs/images/numbers-wide-light.png) shows how much is asked and how long answers take; Settings has colours, language, notifications and the browsers that are logged in.",
      tests: [
        "tests/web/history.test.ts > the history > is searched by questions and answers, and filtered by project, agent and outcome",
        "tests/web/history.test.ts > the history > is saved as JSON in the shape of the command's, as far as the filter goes and beyond what is on the page",
        "tests/web/history.test.ts > the history > is saved as Markdown in which a hostile text is only text",
        "tests/web/numbers.test.ts > the page of numbers > counts how questions ended, how long answers took, and who asked",
        "tests/web/settings.test.ts > the settings > list the devices, mark this one, and log another out only after asking",
        "tests/web/settings.test.ts > the settings > change language and colours at once, and keep what was chosen",
        "tests/web/settings.test.ts > the settings > show a switch for notifications that is on only when they will come",
      ],
    },
    {
      id: "readme.page-can-installed-where",
      says: "The page can be installed where the browser offers it, and is there in Chinese too.",
      tests: [
        "tests/web/installable.test.ts > the installed page > has a manifest whose icons are there and as large as it says",
        "tests/web/inbox.test.ts > the page speaks Chinese where the browser does, or where the person says so",
      ],
    },
    {
      id: "readme.works-over-ssh-down",
      says: "It works over SSH, down to 40 × 12 characters, in 16 colours or none (`NO_COLOR`), and with a screen reader.",
      tests: [
        "tests/terminal/answering.test.ts > at $columns × $rows > a set with a question of each type is answered by keys alone, and reviewed before it is sent",
        "tests/terminal/screen.test.ts > without colours everything is readable, and no colour is sent",
        "tests/terminal/screen.test.ts > a theme's colours fit the terminal (%s, %s)",
        "tests/terminal/screen.test.ts > a screen reader gets words for what others see as signs, on the terminal's own screen",
        "tests/terminal/typed-answers.test.ts > what is expected, the field, and what is wrong with it are in sight at $columns×$rows",
      ],
    },
    {
      id: "readme.keys-colours-set-config",
      says: "Keys and colours are set in `config.json` under `keys` and `theme`.",
      tests: [
        "apps/tui/test/keymap-and-theme.test.ts > a person's own keys > take the place of the defaults, in whatever way they are written",
        "apps/tui/test/keymap-and-theme.test.ts > a person's own keys > are named where there is no such action",
        "apps/tui/test/keymap-and-theme.test.ts > a theme > is refused token by token, each with a sentence",
        "tests/terminal/typing.test.ts > keys can be changed, help lists them as they are, and a key that cannot be is named",
      ],
    },
    {
      id: "readme.ids-may-shortened-their",
      says: "Ids may be shortened to their first 4 characters or more, as long as they are unique.",
      tests: [
        "packages/core/src/testing/desk-contract/settling.ts > an id may be shortened to a unique prefix of 4 characters",
        "apps/askbox/test/list-and-show.test.ts > askbox show > refuses an id that is unknown, too short or not unique",
      ],
    },
    {
      id: "readme.inside-coding-agent-s",
      says: "Inside a coding agent's own shell `answer`, `cancel` and `extend` refuse: an agent must not answer itself.",
      tests: [
        "apps/askbox/test/answer-and-cancel.test.ts > askbox answer > %s refuses within an agent's shell",
        "tests/command/ask-and-answer.test.ts > askbox in a shell > agents ask but do not answer, unless the config lets them",
        "apps/askbox/test/wait-and-extend.test.ts > askbox extend > refuses less than is left, what is no time, and an agent",
      ],
    },
    {
      id: "readme.after-deadline-answer-sends",
      says: "After the deadline `answer` sends a reply: the timeout stands, and the agent gets your words with its next question.",
      tests: [
        "apps/askbox/test/wait-and-extend.test.ts > askbox answer after the deadline > is a reply, and says what becomes of it",
        "packages/core/src/testing/desk-contract/deadlines.ts > a reply is taken after a timeout alone, and once",
        "packages/core/src/testing/asker-contract/asking-again.ts > a reply after the deadline is told as an earlier outcome, once delivered no more",
      ],
    },
    {
      id: "readme.askbox-help-answer-everything",
      says: "`askbox help answer` has everything, with examples.",
      tests: ["apps/askbox/test/help.test.ts > %s is in the help, and has a help of its own with examples"],
    },
    {
      id: "readme.questions-texts-numbers-dates",
      says: "Questions are texts, numbers, dates, ratings, choices, or yes or no, with [limits and suggestions](docs/question-types.md) where they have them.",
      tests: [
        "packages/core/test/questions/every-type.test.ts > a question of every type is among the stored records that later versions go on reading",
        "apps/askbox/test/question-types.test.ts > a question of type %s > has a row in docs/question-types.md with every field of its own",
        "packages/hub/test/rest.test.ts > REST > takes numbers, dates and limits, answers with the one written form, and says of a wrong one what is wrong",
      ],
    },
    {
      id: "readme.typed-checked-never-guessed",
      says: "What is typed is checked and never guessed, and a suggestion is filled in by nobody but you.",
      tests: [
        "packages/core/test/questions/number.test.ts > a number > is not guessed from %j",
        "apps/askbox/test/answer-and-cancel.test.ts > askbox answer > does not guess what %s means",
        "tests/web/typed-answers.test.ts > nothing is filled in, limits are told, and what is wrong is said once a field was left",
      ],
    },
    {
      id: "readme.terminal-askbox-ask-also",
      says: "In a terminal `askbox ask` also takes the answer there and then; whichever answer is first, there or elsewhere, wins.",
      tests: [
        "tests/command/answer-in-terminal.test.ts > askbox ask in a terminal > shows the form there and then, and gives the answer to the script",
        "tests/command/answer-in-terminal.test.ts > askbox ask in a terminal > shows what is typed to others, and gives way when somebody answers elsewhere",
      ],
    },
    {
      id: "readme.0-answered-done",
      says: "0 | answered, or done",
      tests: ["apps/askbox/test/ask.test.ts > askbox ask > prints a single answer alone, for a shell to take"],
    },
    {
      id: "readme.1-failed",
      says: "1 | failed",
      tests: [
        "tests/command/hub-and-config.test.ts > askbox hub > that cannot run beside another says so with exit code 1, and with --json in a document",
      ],
    },
    {
      id: "readme.2-wrong-usage",
      says: "2 | wrong usage",
      tests: [
        "tests/command/ask-and-answer.test.ts > bad input > %j is wrong usage: exit code 2 and one sentence",
        "apps/askbox/test/ask.test.ts > askbox ask > refuses %s with exit code 2 and asks nothing",
      ],
    },
    {
      id: "readme.3-cancelled",
      says: "3 | cancelled",
      tests: [
        "apps/askbox/test/ask.test.ts > askbox ask > exits with 3 when it is cancelled",
        "tests/command/ask-and-answer.test.ts > askbox in a shell > exit codes say how it ended: cancelled, taken back by Ctrl-C, timed out",
      ],
    },
    {
      id: "readme.4-timed-out-askbox",
      says: "4 | timed out; with `askbox wait --timeout`, still open",
      tests: [
        "apps/askbox/test/ask.test.ts > askbox ask > exits with 4 when nobody answers in time",
        "tests/command/ask-and-answer.test.ts > askbox in a shell > exit codes say how it ended: cancelled, taken back by Ctrl-C, timed out",
        "apps/askbox/test/wait-and-extend.test.ts > askbox wait > comes back with a ticket when its time is over, and the question stays",
      ],
    },
    {
      id: "readme.5-no-hub-could",
      says: "5 | no hub could be reached or started",
      tests: [
        "apps/askbox/test/ask.test.ts > askbox ask > a hub that is not there is exit code 5",
        "tests/command/ask-and-answer.test.ts > bad input > where no hub answers, that is exit code 5",
      ],
    },
    {
      id: "readme.json-prints-one-json",
      says: "`--json` prints one JSON document on stdout and nothing else.",
      tests: [
        "tests/command/answer-in-terminal.test.ts > askbox ask in a terminal > prints nothing but the result on stdout with --json",
        "apps/askbox/test/ask.test.ts > askbox ask > prints the tool's result with --json, and marks it delivered",
        "apps/askbox/test/list-and-show.test.ts > askbox list > filters by status and prints the sessions as JSON",
      ],
    },
  ],
  explained: [
    {
      because: "advice",
      says: ["A script asks in the same way:"],
    },
  ],
};
