import type { PromisedPage } from "../promise.ts";

export const commandsPage: PromisedPage = {
  page: "docs/commands.md",
  promises: [
    {
      id: "commands.askbox-help-command-says",
      says: "`askbox help COMMAND` says what this page says of a command, with examples.",
      tests: [
        "apps/askbox/test/client-docs.test.ts > what the pages say of clients and commands > %s is what the code does (pnpm --filter askbox pages)",
        "apps/askbox/test/help.test.ts > %s is in the help, and has a help of its own with examples",
      ],
    },
    {
      id: "commands.every-command-takes-hub",
      says: "Every command takes `--hub URL` and `--token-file FILE` for a hub elsewhere.",
      tests: ["tests/command/remote-hub.test.ts > every command works at another hub, and none is started here"],
    },
    {
      id: "commands.exit-codes-0-answered",
      says: "Exit codes: 0 answered or done, 1 failed, 2 wrong usage, 3 cancelled, 4 timed out, 5 no hub.",
      tests: [
        "apps/askbox/test/ask.test.ts > askbox ask > prints a single answer alone, for a shell to take",
        "tests/command/hub-and-config.test.ts > askbox hub > that cannot run beside another says so with exit code 1, and with --json in a document",
        "tests/command/ask-and-answer.test.ts > bad input > %j is wrong usage: exit code 2 and one sentence",
        "apps/askbox/test/ask.test.ts > askbox ask > exits with 3 when it is cancelled",
        "apps/askbox/test/ask.test.ts > askbox ask > exits with 4 when nobody answers in time",
        "apps/askbox/test/ask.test.ts > askbox ask > a hub that is not there is exit code 5",
      ],
    },
    {
      id: "commands.answer-cancel-extend-refuse",
      says: "`answer`, `cancel` and `extend` refuse in the environment of a known agent, unless `config.json` has `allowAnswerFromAgents`; the environment cannot set that.",
      tests: [
        "apps/askbox/test/answer-and-cancel.test.ts > askbox answer > %s refuses within an agent's shell",
        "tests/command/ask-and-answer.test.ts > askbox in a shell > agents ask but do not answer, unless the config lets them",
        "packages/home/test/config.test.ts > the settings > do not let the environment allow agents to answer",
        "apps/askbox/test/wait-and-extend.test.ts > askbox extend > refuses less than is left, what is no time, and an agent",
      ],
    },
    {
      id: "commands.askbox-ask-json-askbox",
      says: "`askbox ask --json` and `askbox wait --json` print what the `ask_user` tool gives: `answered`, `cancelled`, `timedOut` and `answers`, always these four, then `sessionId` and, where there is something to say, `reason`, `comment`, `answeredBy` (`surface`, `name`), `late`, `seen` and `earlier`.",
      tests: [
        "apps/askbox/test/ask.test.ts > askbox ask > prints the tool's result with --json, and marks it delivered",
        "tests/requirements/list/answers.ts > the text is the JSON of exactly the structured content, and tells who answered",
        "apps/askbox/test/ask.test.ts > askbox ask > exits with 4 when nobody answers in time",
      ],
    },
    {
      id: "commands.each-answers-questionid-values",
      says: "Each of `answers` has `questionId` and `values`, with `customText` for words of the person's own and `note` for a remark.",
      tests: [
        "apps/askbox/test/ask.test.ts > askbox ask > prints the tool's result with --json, and marks it delivered",
        "tests/requirements/list/answers.ts > Other alone is customText with empty values, and satisfies required",
        "tests/terminal/answering.test.ts > a note goes with its answer and a comment with the whole",
      ],
    },
    {
      id: "commands.askbox-list-json-prints",
      says: "`askbox list --json` prints an array of sessions with `id`, `status`, `asker`, `questions`, `createdAt` and `deadlineAt`, and a `title` where there is one.",
      tests: ["apps/askbox/test/list-and-show.test.ts > askbox list > filters by status and prints the sessions as JSON"],
    },
    {
      id: "commands.status-pending-answered-cancelled",
      says: "`status` is `pending`, `answered`, `cancelled` or `timed_out`.",
      tests: [
        "apps/askbox/test/list-and-show.test.ts > askbox list > filters by status and prints the sessions as JSON",
        "apps/askbox/test/ask.test.ts > askbox ask > exits with 4 when nobody answers in time",
      ],
    },
    {
      id: "commands.askbox-answer-id-json",
      says: '`askbox answer ID --json -` reads `{"answers": [{"questionId", "values"}], "comment"}` from standard input.',
      tests: ["apps/askbox/test/answer-and-cancel.test.ts > askbox answer > takes the answers as JSON from standard input"],
    },
    {
      id: "commands.data-settings-logs-lie",
      says: "Data, settings and logs lie where the platform keeps such things; with `ASKBOX_HOME` all of them lie directly in that folder.",
      tests: [
        "packages/home/test/folders.test.ts > the home's folders > are all directly in ASKBOX_HOME when it is %s",
        "packages/home/test/folders.test.ts > the home's folders > follow the XDG base directories on Linux",
      ],
    },
    {
      id: "commands.hub-json-url-pid",
      says: "`hub.json` | `url`, `pid`, `version`, `instance`, `askerToken` of the hub that runs | its owner alone",
      tests: [
        "apps/hub/test/lifecycle.test.ts > the hub's process > serves, tells where in files that only their owner can read, and leaves them fit for the next one",
        "packages/home/test/runtime-files.test.ts > the runtime files > are readable by their owner alone, in a folder that only the owner can enter",
      ],
    },
    {
      id: "commands.desk-json-desktoken-askbox",
      says: "`desk.json` | `deskToken`; `askbox mcp` never opens it | its owner alone",
      tests: [
        "apps/hub/test/connect.test.ts > the way to the hub > never opens desk.json for an asker",
        "packages/home/test/runtime-files.test.ts > the runtime files > are readable by their owner alone, in a folder that only the owner can enter",
      ],
    },
    {
      id: "commands.askbox-db-sessions-owner",
      says: "`askbox.db` | the sessions | its owner alone",
      tests: [
        "apps/hub/test/lifecycle.test.ts > a hub that is killed > loses no session and no token, and clients come back to the next one by themselves",
        "packages/core/src/testing/store-contract/durable.ts > has every session and draft after it is reopened",
      ],
    },
    {
      id: "commands.config-json-settings",
      says: "`config.json` | the settings | ",
      tests: ["packages/home/test/config.test.ts > the settings > are written one by one, what else the file holds staying as it is"],
    },
    {
      id: "commands.logs-hub-s-log",
      says: "`logs/` | the hub's log | ",
      tests: [
        "packages/home/test/logger.test.ts > the logger > writes lines for people with a prefix, and JSON lines to the file",
        "apps/hub/test/lifecycle.test.ts > the hub's process > keeps tokens out of its log",
      ],
    },
    {
      id: "commands.there-four-levels-debug",
      says: "There are four levels: debug, info, warn and error; debug is written with `ASKBOX_DEBUG=true` only.",
      tests: [
        "apps/hub/test/lifecycle.test.ts > ASKBOX_DEBUG=true > %s",
        "packages/home/test/logger.test.ts > the logger > writes lines for people with a prefix, and JSON lines to the file",
      ],
    },
    {
      id: "commands.each-line-stdio-server",
      says: "Each line of the stdio server on stderr begins with `[MCP]`, each line of the file is a JSON object.",
      tests: ["packages/home/test/logger.test.ts > the logger > writes lines for people with a prefix, and JSON lines to the file"],
    },
    {
      id: "commands.end-session-logged-session",
      says: "The end of a session is logged as `Session completed successfully` when it was answered or cancelled and as `Session failed` when it timed out or ran into an error, with `sessionId` and `callId`.",
      tests: [
        "packages/mcp/test/dialects.test.ts > $tool > logs the end of a session that was %s, with session and call",
        "packages/mcp/test/log.test.ts > the log tells that a session was %s, with session and call",
      ],
    },
    {
      id: "commands.tokens-other-secrets-redacted",
      says: "Tokens and other secrets are redacted.",
      tests: ["packages/home/test/logger.test.ts > the logger > redacts what is a secret or is named like one, at every depth"],
    },
    {
      id: "commands.askbox-inbox-terminal",
      says: "`askbox`: The inbox in a terminal.",
      tests: [
        "tests/terminal/answering.test.ts > at $columns × $rows > a set with a question of each type is answered by keys alone, and reviewed before it is sent",
        "apps/askbox/test/list-and-show.test.ts > askbox alone shows what waits and how to answer it",
      ],
    },
    {
      id: "commands.askbox-project-folder-only",
      says: "`askbox --project <folder>` | only the questions of this project folder",
      tests: ["tests/terminal/surfaces.test.ts > --project shows the questions of that project alone"],
    },
    {
      id: "commands.askbox-once-show-next",
      says: "`askbox --once` | show the next question, and leave after it",
      tests: ["tests/terminal/surfaces.test.ts > --once waits for a question, shows it, and leaves when it is answered"],
    },
    {
      id: "commands.askbox-session-id-open",
      says: "`askbox --session <id>` | open this question",
      tests: [
        "tests/web/real-hub.test.ts > of two terminals and one browser that answer at once one wins, and the others are told who was first",
      ],
    },
    {
      id: "commands.askbox-list-list-questions",
      says: "`askbox list`: List questions.",
      tests: ["apps/askbox/test/list-and-show.test.ts > askbox list > shows what waits, oldest first, with the time left"],
    },
    {
      id: "commands.askbox-list-status-status",
      says: '`askbox list --status <status>` | pending, answered, cancelled, timed_out or all (default: "pending")',
      tests: ["apps/askbox/test/list-and-show.test.ts > askbox list > filters by status and prints the sessions as JSON"],
    },
    {
      id: "commands.askbox-list-json-print",
      says: "`askbox list --json` | print a JSON array",
      tests: ["apps/askbox/test/list-and-show.test.ts > askbox list > filters by status and prints the sessions as JSON"],
    },
    {
      id: "commands.askbox-show-show-one",
      says: "`askbox show`: Show one set of questions, its answers, and how to answer it.",
      tests: [
        "apps/askbox/test/list-and-show.test.ts > askbox show > shows the questions, what they take, and how to answer",
        "apps/askbox/test/list-and-show.test.ts > askbox show > shows who answered what, where and when",
      ],
    },
    {
      id: "commands.askbox-show-id-id",
      says: "`askbox show id` | its id, or a unique prefix of 4 characters or more",
      tests: ["apps/askbox/test/list-and-show.test.ts > askbox show > refuses an id that is unknown, too short or not unique"],
    },
    {
      id: "commands.askbox-show-json-print",
      says: "`askbox show --json` | print a JSON object",
      tests: [
        "tests/command/tokens.test.ts > askbox token > makes a token for an agent elsewhere, which asks until it is revoked, and not a moment longer",
      ],
    },
  ],
  explained: [
    {
      because: "advice",
      says: ["What each is for is told in the [README](../README.md)."],
    },
  ],
};
