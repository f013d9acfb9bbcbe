import type { PromisedPage } from "../promise.ts";

export const commandsAskPage: PromisedPage = {
  page: "docs/commands.md",
  promises: [
    {
      id: "commands.askbox-ask-ask-person",
      says: "`askbox ask`: Ask a person, and wait for the answer.",
      tests: ["apps/askbox/test/ask.test.ts > askbox ask > prints a single answer alone, for a shell to take"],
    },
    {
      id: "commands.askbox-ask-question-question",
      says: "`askbox ask question` | the question; basic markdown",
      tests: ["apps/askbox/test/ask.test.ts > askbox ask > asks %s"],
    },
    {
      id: "commands.askbox-ask-type-type",
      says: "`askbox ask --type <type>` | text, select, multi-select, confirm, number, date, rating (default: select with --option, else text)",
      tests: [
        "apps/askbox/test/ask.test.ts > askbox ask > asks %s",
        "apps/askbox/test/question-types.test.ts > a question of type %s > has a flag of askbox ask for every field of its own",
      ],
    },
    {
      id: "commands.askbox-ask-option-text",
      says: "`askbox ask --option <text>` | an option to choose; repeat it",
      tests: ["apps/askbox/test/ask.test.ts > askbox ask > asks %s"],
    },
    {
      id: "commands.askbox-ask-no-other-take",
      says: "`askbox ask --no-other` | take only the options, no words of the person's own",
      tests: ["apps/askbox/test/ask.test.ts > askbox ask > asks %s"],
    },
    {
      id: "commands.askbox-ask-optional-question",
      says: "`askbox ask --optional` | the question may be skipped",
      tests: ["apps/askbox/test/ask.test.ts > askbox ask > asks %s"],
    },
    {
      id: "commands.askbox-ask-required-question",
      says: "`askbox ask --required` | the question must be answered (default)",
      tests: ["apps/askbox/test/ask.test.ts > askbox ask > asks %s"],
    },
    {
      id: "commands.askbox-ask-placeholder-text",
      says: "`askbox ask --placeholder <text>` | shown in the empty field",
      tests: ["apps/askbox/test/ask.test.ts > askbox ask > asks %s"],
    },
    {
      id: "commands.askbox-ask-format-format",
      says: "`askbox ask --format <format>` | what a text must be: email, url, date-time",
      tests: ["apps/askbox/test/ask.test.ts > askbox ask > asks %s"],
    },
    {
      id: "commands.askbox-ask-min-value",
      says: "`askbox ask --min <value>` | the least number, or the first date as YYYY-MM-DD",
      tests: ["apps/askbox/test/ask.test.ts > askbox ask > asks %s"],
    },
    {
      id: "commands.askbox-ask-max-value",
      says: "`askbox ask --max <value>` | the most, the last date, or the highest rating",
      tests: ["apps/askbox/test/ask.test.ts > askbox ask > asks %s"],
    },
    {
      id: "commands.askbox-ask-integer-take",
      says: "`askbox ask --integer` | take whole numbers only",
      tests: ["apps/askbox/test/ask.test.ts > askbox ask > asks %s"],
    },
    {
      id: "commands.askbox-ask-unit-text",
      says: "`askbox ask --unit <text>` | what a number counts or measures",
      tests: ["apps/askbox/test/ask.test.ts > askbox ask > asks %s"],
    },
    {
      id: "commands.askbox-ask-min-length-count",
      says: "`askbox ask --min-length <count>` | the least characters of a text",
      tests: ["apps/askbox/test/ask.test.ts > askbox ask > asks %s"],
    },
    {
      id: "commands.askbox-ask-max-length-count",
      says: "`askbox ask --max-length <count>` | the most characters of a text",
      tests: ["apps/askbox/test/ask.test.ts > askbox ask > asks %s"],
    },
    {
      id: "commands.askbox-ask-min-choices-count",
      says: "`askbox ask --min-choices <count>` | the least options of a multi-select",
      tests: ["apps/askbox/test/ask.test.ts > askbox ask > asks %s"],
    },
    {
      id: "commands.askbox-ask-max-choices-count",
      says: "`askbox ask --max-choices <count>` | the most options of a multi-select",
      tests: ["apps/askbox/test/ask.test.ts > askbox ask > asks %s"],
    },
    {
      id: "commands.askbox-ask-min-label-text",
      says: "`askbox ask --min-label <text>` | what a rating of 1 means",
      tests: ["apps/askbox/test/ask.test.ts > askbox ask > asks %s"],
    },
    {
      id: "commands.askbox-ask-max-label-text",
      says: "`askbox ask --max-label <text>` | what the highest rating means",
      tests: ["apps/askbox/test/ask.test.ts > askbox ask > asks %s"],
    },
    {
      id: "commands.askbox-ask-suggestion-value",
      says: "`askbox ask --suggestion <value>` | an answer that the person may take over by one key; it is never filled in",
      tests: [
        "apps/askbox/test/ask.test.ts > askbox ask > asks %s",
        "tests/terminal/typed-answers.test.ts > a suggestion is shown, taken over by one key and no other, and sent by Enter",
      ],
    },
    {
      id: "commands.askbox-ask-title-text",
      says: "`askbox ask --title <text>` | a title over the question",
      tests: ["apps/askbox/test/ask.test.ts > askbox ask > asks %s"],
    },
    {
      id: "commands.askbox-ask-timeout-ms",
      says: "`askbox ask --timeout <ms>` | milliseconds to wait, 10000 to 1800000 (default: ASKBOX_TIMEOUT, else 300000)",
      tests: [
        "apps/askbox/test/ask.test.ts > askbox ask > asks %s",
        "apps/askbox/test/ask.test.ts > askbox ask > refuses %s with exit code 2 and asks nothing",
        "apps/askbox/test/ask.test.ts > askbox ask > waits as long as the settings say where no flag says how long",
        "packages/home/test/config.test.ts > the settings > come from the flag before the environment before the file before the default",
      ],
    },
    {
      id: "commands.askbox-ask-key-key",
      says: "`askbox ask --key <key>` | a name for this ask: asking again under it joins the pending question",
      tests: [
        "apps/askbox/test/ask.test.ts > askbox ask > asks %s",
        "packages/core/src/testing/asker-contract/waiting.ts > an ask with the key of a pending session joins it even while that is waited for",
      ],
    },
    {
      id: "commands.askbox-ask-file-file",
      says: "`askbox ask --file <file>` | read the ask_user tool's input from a JSON file, or from standard input for -",
      tests: [
        "apps/askbox/test/ask.test.ts > askbox ask > reads the tool's input from standard input, questions as a JSON string included",
        "tests/command/ask-and-answer.test.ts > askbox in a shell > the tool's input comes from standard input, and several answers from one line",
        "apps/askbox/test/ask.test.ts > askbox ask > reads the tool's input from a file",
      ],
    },
    {
      id: "commands.askbox-ask-json-print",
      says: "`askbox ask --json` | print the result as the ask_user tool gives it",
      tests: ["apps/askbox/test/ask.test.ts > askbox ask > prints the tool's result with --json, and marks it delivered"],
    },
    {
      id: "commands.askbox-open-open-web",
      says: "`askbox open`: Open the web inbox, logged in.",
      tests: [
        "tests/command/open.test.ts > askbox open --print > prints nothing but the link, whose login survives a restart of the hub in a file of its owner alone",
        "tests/command/open.test.ts > askbox open --print > serves the page that the link opens",
        "packages/attention/test/open-in-browser.test.ts > opening a page on demand > hands it to the system's opener, which outlives this process and is shown the link as one word",
      ],
    },
    {
      id: "commands.askbox-open-print-print",
      says: "`askbox open --print` | print the login link instead of opening it",
      tests: [
        "tests/command/open.test.ts > askbox open --print > prints nothing but the link, whose login survives a restart of the hub in a file of its owner alone",
      ],
    },
    {
      id: "commands.askbox-open-qr-draw",
      says: "`askbox open --qr` | draw the login link as a QR code",
      tests: ["tests/command/open.test.ts > askbox open --qr > draws a link under a name of the hub that a phone can reach"],
    },
    {
      id: "commands.askbox-wait-go-waiting",
      says: "`askbox wait`: Go on waiting for questions that were asked before.",
      tests: [
        "apps/askbox/test/wait-and-extend.test.ts > askbox wait > goes on waiting, by the id's first characters, and marks what it printed delivered",
      ],
    },
    {
      id: "commands.askbox-wait-id-questions",
      says: "`askbox wait id` | the questions' id, or a unique prefix of 4 characters or more",
      tests: [
        "apps/askbox/test/wait-and-extend.test.ts > askbox wait > goes on waiting, by the id's first characters, and marks what it printed delivered",
      ],
    },
    {
      id: "commands.askbox-wait-timeout-ms",
      says: "`askbox wait --timeout <ms>` | milliseconds to wait at most; the question stays open (default: until it is settled)",
      tests: [
        "apps/askbox/test/wait-and-extend.test.ts > askbox wait > comes back with a ticket when its time is over, and the question stays",
      ],
    },
    {
      id: "commands.askbox-wait-json-print",
      says: "`askbox wait --json` | print the result as the ask_user tool gives it",
      tests: [
        "apps/askbox/test/wait-and-extend.test.ts > askbox wait > gives an answer that came before it, marked late, as the tool's result",
      ],
    },
    {
      id: "commands.askbox-mcp-serve-mcp",
      says: "`askbox mcp`: Serve MCP on stdio: what an agent's client starts.",
      tests: [
        "apps/mcp-stdio/test/stdio-server.test.ts > the stdio server > keeps stdout for the protocol, whoever else writes to it",
        "tests/clients/install-command.test.ts > askbox install > writes an entry that a real client starts, from a folder and with an environment of its own",
      ],
    },
    {
      id: "commands.also-askbox-server",
      says: "Also `askbox server`.",
      tests: ["apps/askbox/test/help.test.ts > askbox server is askbox mcp by another name"],
    },
    {
      id: "commands.askbox-mcp-tools-b",
      says: "`askbox mcp --tools <a,b>` | the tools to offer: ask_user, cn_ask_user, ask_user_questions, ask_human (default: ask_user)",
      tests: [
        "packages/mcp/test/schemas.test.ts > the published schemas > every dialect publishes a tool of its own name",
        "apps/mcp-stdio/test/stdio-server.test.ts > the stdio server > refuses the flags %j with code 2 and a sentence",
      ],
    },
    {
      id: "commands.askbox-mcp-name-s",
      says: "`askbox mcp --name <S>` | the server's name as the client sees it",
      tests: [
        "tests/requirements/list/ask-user-questions.ts > the server goes by the name it was given, and its instructions tell a model when to ask",
      ],
    },
    {
      id: "commands.askbox-mcp-timeout-ms",
      says: "`askbox mcp --timeout <MS>` | milliseconds a question waits when its call does not say, 10000 to 1800000",
      tests: [
        "apps/mcp-stdio/test/stdio-server.test.ts > the stdio server > takes the default timeout from the flag, else from the environment",
        "tests/requirements/list/ask-human.ts > another time can be set for the server",
      ],
    },
    {
      id: "commands.askbox-mcp-max-wait-s",
      says: "`askbox mcp --max-wait <S>` | seconds after which a call gets a ticket instead of waiting on",
      tests: [
        "packages/mcp/test/clients.test.ts > the table of clients > max-wait stands above the table, and 0 is no limit",
        "tests/requirements/list/tickets.ts > a call that has to come back brings a ticket in both fields, and the session stays open",
      ],
    },
    {
      id: "commands.askbox-mcp-on-cancel-keep",
      says: "`askbox mcp --on-cancel <keep|withdraw>` | what a cancelled call does to its question (default: keep)",
      tests: ["tests/requirements/list/calls.ts > under on-cancel withdraw a cancelled call takes its questions back"],
    },
    {
      id: "commands.askbox-mcp-surfaces-b",
      says: "`askbox mcp --surfaces <a,b>` | where questions are put: inbox, or inbox,client for the client's own form too (default: inbox)",
      tests: [
        "tests/mcp/client-form.test.ts > the client's own form over %s > settles the question of a client of %s, and the inbox knows where",
      ],
    },
    {
      id: "commands.askbox-mcp-project-folder",
      says: "`askbox mcp --project <folder>` | the project folder (default: the folder it is started in)",
      tests: [
        "apps/mcp-stdio/test/identity.test.ts > the project is the one named, else the client's first folder, else where the server was started",
        "tests/command/agents.test.ts > what a server asks stands under the agent id of its flag, and in the project of its flag",
      ],
    },
    {
      id: "commands.askbox-mcp-agent-id",
      says: "`askbox mcp --agent <ID>` | the agent's id, among several of one client",
      tests: ["tests/command/agents.test.ts > what a server asks stands under the agent id of its flag, and in the project of its flag"],
    },
    {
      id: "commands.askbox-mcp-probe-only",
      says: "`askbox mcp --probe` | only measure how long the client waits; askbox doctor --client NAME says more",
      tests: ["tests/clients/probe.test.ts > askbox mcp --probe notes how long a client waits, and doctor --client tells it"],
    },
  ],
  explained: [],
};
