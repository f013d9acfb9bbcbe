import type { PromisedPage } from "../promise.ts";

export const operationsLogsPage: PromisedPage = {
  page: "docs/operations.md",
  promises: [
    {
      id: "operations.hub-writes-json-lines",
      says: "The hub writes JSON lines to `askbox.log` in the folder for logs: 5 MB a file, three files.",
      tests: [
        "packages/home/test/logger.test.ts > the logger > writes lines for people with a prefix, and JSON lines to the file",
        "packages/home/test/logger.test.ts > the logger > takes 5 MB for a file unless told otherwise",
        "packages/home/test/logger.test.ts > the logger > bounds the file's size, keeping the newest lines in three files",
      ],
    },
    {
      id: "operations.foreground-also-writes-standard",
      says: "In the foreground it also writes to standard error, unless `--json` is given.",
      tests: [
        "apps/mcp-http/test/lifecycle.test.ts > the hub's process > keeps tokens out of its log",
        "apps/mcp-http/test/lifecycle.test.ts > the hub's process > prints one JSON document when it is ready, if asked",
      ],
    },
    {
      id: "operations.server-stdio-writes-standard",
      says: "The server on stdio writes to standard error, with `[MCP]` before each line; clients keep that with logs of their own.",
      tests: ["packages/home/test/logger.test.ts > the logger > writes lines for people with a prefix, and JSON lines to the file"],
    },
    {
      id: "operations.standard-output-server-carries",
      says: "Standard output of that server carries protocol and nothing else.",
      tests: ["apps/mcp-stdio/test/stdio-server.test.ts > the stdio server > keeps stdout for the protocol, whoever else writes to it"],
    },
    {
      id: "operations.loglevel-debug-info-warn",
      says: "`logLevel` is `debug`, `info`, `warn` or `error`; `ASKBOX_DEBUG=true` is `debug`.",
      tests: [
        "packages/home/test/config.test.ts > the settings > take %s=%s",
        "packages/home/test/config.test.ts > the settings > refuse %s=%s with a sentence",
        "apps/mcp-http/test/lifecycle.test.ts > ASKBOX_DEBUG=true > %s",
      ],
    },
    {
      id: "operations.log-ids-clients-project",
      says: "A log has ids, clients and project folders.",
      tests: ["apps/mcp-http/test/people.test.ts > a hub > says in its log where to answer a question, and never what it asks"],
    },
    {
      id: "operations.tokens-asked-answered",
      says: "It has no tokens, and not what is asked or answered.",
      tests: [
        "apps/mcp-http/test/people.test.ts > a hub > keeps what is asked and answered out of its log at every level",
        "apps/mcp-http/test/lifecycle.test.ts > the hub's process > keeps tokens out of its log",
        "packages/home/test/logger.test.ts > the logger > redacts what is a secret or is named like one, at every depth",
      ],
    },
    {
      id: "operations.get-metrics-format-prometheus",
      says: "`GET /metrics` is in the format of Prometheus, for a token of scope `metrics` or `desk`:",
      tests: [
        "apps/mcp-http/test/metrics.test.ts > metrics in Prometheus' text format > have a line for each set of labels, whose text is escaped",
        "apps/mcp-http/test/metrics.test.ts > metrics in Prometheus' text format > count a value in each bucket that holds it",
        "apps/mcp-http/test/metrics.test.ts > a hub's /metrics > tells a desk and a token for metrics, and no asker, what was asked and how long it took",
      ],
    },
    {
      id: "operations.mcp-tool-calls-total",
      says: "`mcp_tool_calls_total` | counter | `tool`, `status`",
      tests: [
        "apps/mcp-http/test/metrics.test.ts > a hub's /metrics > counts calls over HTTP by tool and how they ended",
        "apps/mcp-http/test/metrics.test.ts > a hub's /metrics > counts calls that a server on stdio tells of; an agent over HTTP is counted while it is there",
      ],
    },
    {
      id: "operations.mcp-errors-total-counter",
      says: "`mcp_errors_total` | counter | `type`",
      tests: [
        "apps/mcp-http/test/metrics.test.ts > a hub's /metrics > counts calls over HTTP by tool and how they ended",
        "apps/mcp-http/test/metrics.test.ts > a hub's /metrics > tells a desk and a token for metrics, and no asker, what was asked and how long it took",
      ],
    },
    {
      id: "operations.mcp-question-latency-ms",
      says: "`mcp_question_latency_ms` | histogram | `outcome`",
      tests: [
        "apps/mcp-http/test/metrics.test.ts > a hub's /metrics > tells a desk and a token for metrics, and no asker, what was asked and how long it took",
      ],
    },
    {
      id: "operations.askbox-store-operation-ms",
      says: "`askbox_store_operation_ms` | histogram | `operation`",
      tests: [
        "apps/mcp-http/test/metrics.test.ts > a hub's /metrics > tells a desk and a token for metrics, and no asker, what was asked and how long it took",
      ],
    },
    {
      id: "operations.askbox-pending-sessions-askbox",
      says: "`askbox_pending_sessions`, `askbox_waiting_calls` | gauge | ",
      tests: [
        "apps/mcp-http/test/metrics.test.ts > a hub's /metrics > tells a desk and a token for metrics, and no asker, what was asked and how long it took",
        "apps/mcp-http/test/metrics.test.ts > a hub's /metrics > counts who waits, and says nothing of what was asked or by whom",
      ],
    },
    {
      id: "operations.askbox-surfaces-gauge-surface",
      says: "`askbox_surfaces` | gauge | `surface`",
      tests: [
        "apps/mcp-http/test/metrics.test.ts > a hub's /metrics > tells a desk and a token for metrics, and no asker, what was asked and how long it took",
      ],
    },
    {
      id: "operations.nothing-them-says-was",
      says: "Nothing in them says what was asked or by whom.",
      tests: ["apps/mcp-http/test/metrics.test.ts > a hub's /metrics > counts who waits, and says nothing of what was asked or by whom"],
    },
    {
      id: "operations.everything-worth-keeping-folder",
      says: "Everything that is worth keeping is in the folder for data; [settings](configuration.md) are in theirs.",
      tests: [
        "packages/home/test/folders.test.ts > the home's folders > are all directly in ASKBOX_HOME when it is %s",
        "tests/command/files.test.ts > everything that askbox keeps is readable by its owner alone",
      ],
    },
    {
      id: "operations.sessions-were-pending-overdue",
      says: "Sessions that were pending and are overdue by then time out when the hub starts.",
      tests: [
        "tests/faults/deadlines.test.ts > a deadline > that passed while no hub ran is over when the next one starts, and those that have not are kept",
      ],
    },
    {
      id: "operations.file-damaged-kept-under",
      says: "A file that is damaged is kept under another name, and what can be read of it is taken over: [how](guarantees.md#a-damaged-store-is-kept-and-what-can-be-read-of-it-is-there).",
      tests: [
        "tests/faults/damaged-store.test.ts > with a byte of its store damaged, a hub starts, has every answer that can be read, and keeps the damaged file beside it",
      ],
    },
    {
      id: "operations.hub-background-nobody-uses",
      says: "A hub in the background that nobody uses is replaced by the next command; one that is in use goes on, and commands say so in a sentence.",
      tests: [
        "apps/mcp-http/test/skew-and-stop.test.ts > a newer command > replaces an older hub that nobody uses",
        "apps/mcp-http/test/skew-and-stop.test.ts > a newer command > says in one line that it goes on with an older hub that is in use",
      ],
    },
    {
      id: "operations.askbox-hub-stop-makes",
      says: "`askbox hub stop` makes way at once; calls that wait look for the next hub for a minute.",
      tests: [
        "tests/command/hub-and-config.test.ts > askbox hub > stop says how many calls still wait, who do not start it again, and are joined to the hub that a person starts",
        "apps/mcp-http/test/skew-and-stop.test.ts > a hub that was stopped on purpose > is joined again by those who wait when somebody else starts it",
        "packages/wire/test/patience.test.ts > patience > ends a request a minute after the loss, and not before",
      ],
    },
    {
      id: "operations.hub-you-run-yourself",
      says: "A hub that you run yourself you start again yourself.",
      tests: [
        "apps/mcp-http/test/skew-and-stop.test.ts > a newer command > leaves a hub alone that a person runs, and any hub if it was not told to replace it",
      ],
    },
    {
      id: "operations.hub-serves-own-version",
      says: "A hub serves its own version of the [wire protocol](wire.md) and the one before, so that agents that run need not be started again.",
      tests: [
        "tests/faults/versions.test.ts > a hub and a client of different versions > a newer client, or one two versions older, is told by the hub in a sentence what to do; its own version is served",
        "tests/faults/versions.test.ts > a hub and a client of different versions > a hub one version newer serves the command and the agents of this version whole",
        "packages/wire/test/hello.test.ts > the protocol's version > %s is settled in the hello",
      ],
    },
    {
      id: "operations.store-s-format-brought",
      says: "The store's format is brought up to date when it is opened.",
      tests: [
        "packages/store-sqlite/test/opening.test.ts > opening a SQLite store > brings a new file to the newest version",
        "packages/store-sqlite/test/opening.test.ts > opening a SQLite store > reads what the first released version wrote",
        "packages/core/test/record.test.ts > reading a stored session > understands the first schema as it was written",
      ],
    },
    {
      id: "operations.older-command-leaves-store",
      says: "An older command leaves a store of a newer format alone and says so: keep a backup if you may want to go back.",
      tests: [
        "packages/store-sqlite/test/opening.test.ts > opening a SQLite store > refuses a store of a newer askbox and leaves it untouched",
      ],
    },
  ],
  explained: [
    {
      because: "advice",
      says: [
        "Without a hub, copy the folder:",
        "To go back, stop the hub, remove `askbox.db-wal` and `askbox.db-shm` if they are there, and put the copy in the place of `askbox.db`.",
        "With Redis, [back up Redis](redis.md#in-redis).",
        "Install the newer command.",
      ],
    },
    {
      because: "elsewhere",
      says: [
        "While a hub runs, `askbox.db` alone is not a whole copy, since the newest changes are in `askbox.db-wal`.",
        "SQLite's own backup is:",
      ],
    },
  ],
};
