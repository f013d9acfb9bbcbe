import type { PromisedPage } from "../promise.ts";

export const performancePage: PromisedPage = {
  page: "docs/performance.md",
  promises: [
    {
      id: "performance.bench-fails",
      says: "The run ends with 1 when a bound is broken, or when a ratio is worse than in `bench/baseline.json` by more than its tolerance.",
      tests: [
        "tests/workspace/bench-report.test.ts > the comparison with the baseline > names in sentences what is broken, worse and better, and nothing else",
      ],
    },
    {
      id: "performance.ratios-only",
      says: "The baseline has ratios only: milliseconds belong to a machine.",
      tests: ["tests/workspace/bench-report.test.ts > the comparison with the baseline > updates what was measured and keeps what was not"],
    },
    {
      id: "performance.table-from-run",
      says: "`pnpm bench:docs` writes the table below from the last run; no number in it is typed by hand.",
      tests: ["tests/workspace/bench-report.test.ts > the page of figures > gets the table between its marks, and keeps the rest"],
    },
    {
      id: "performance.asking-by-index",
      says: "stored sessions | asking | at most the logarithm: equal asks are found by an index",
      tests: [
        "packages/store-sqlite/test/plans.test.ts > the SQLite store's plans > search an index for everything that an ask and its answer need",
      ],
    },
    {
      id: "performance.soak-finds-growth",
      says: "The first half of the time is to warm up; in the second half none of these may rise steadily with the calls.",
      tests: [
        "tests/soak/growth.test.ts > a leak in noise is found, and its size with it",
        "tests/soak/growth.test.ts > a single burst, at either end, decides nothing",
      ],
    },
    {
      id: "performance.group-commit",
      says: "asks at once | SQLite | group commit: what waits goes to disk in one transaction, so throughput rises with them",
      tests: [
        "packages/store-sqlite/test/writing.test.ts > writing to the SQLite store > takes everything that waits into one transaction",
      ],
    },
  ],
  explained: [
    {
      because: "advice",
      says: [
        "Measure your own machine:",
        "`pnpm bench --update-baseline` writes a new one; do so on a quiet machine.",
        "[Contributing](../CONTRIBUTING.md#measuring) has the details.",
      ],
    },
    {
      because: "purpose",
      says: [
        "Every figure that askbox promises, each beside its *floor*: the same work without askbox, measured in the same run.",
        "A floor says what the machine can do; the ratio says what askbox adds.",
        "**An answer's way** (`answer-latency`).",
        "**Calls over HTTP** (`http-calls`, `http-throughput`).",
        "**Pending sessions** (`pending`).",
        "**Stored sessions** (`stored-sessions`, `store-sqlite-cycles`).",
        "**Starting** (`stdio-start`).",
        "**Being seen** (`web-paint`, `terminal`).",
        "**Several hubs** (`redis-hubs`).",
      ],
    },
    {
      because: "measured",
      says: [
        "From the moment the hub has an answer on disk to the moment the agent's client has the tool's result: hub, WebSocket, `askbox mcp`, stdio, the SDK's own client.",
        "200 other sessions are pending, and 20 ms of silence lie before each answer, as before each round trip of the floor: a message of 600 bytes to another process over a WebSocket, and back.",
        "Writing to disk is not in it; see the SQLite rows.",
        "500 calls wait at once and are answered at once; the time is until the last has its result, and the heap is what each costs while it waits.",
        "The floor is a bare server on the same MCP SDK whose tool waits and is let go.",
        "Throughput is 20 clients that ask without a pause, and a desk in the hub that answers each question: beside a bare server that answers by itself and stores nothing.",
        "Each ask is on disk three times before its result is out: asked, answered, delivered.",
        "10,000 questions of 650 bytes over 10 sockets, with a call that waits for each.",
        "The heap is counted after collecting garbage; the floor is the request as JSON.",
        "Then five seconds in which nothing happens, beside the same five seconds of an empty hub.",
        "The time of an ask with 100,000 sessions in the store, beside the same ask with 10.",
        "The SQLite rows compare with a bare loop of `node:sqlite` that makes two durable commits of the same size.",
        "From spawning `askbox mcp` to its list of tools, and its memory then.",
        "The floor is a server with one tool on the same SDK, bundled by the same rules.",
        "From an agent's ask to the first frame on which the question can be read: in Chromium beside a page that shows what a WebSocket says, and in a terminal beside a bare Ink program that does the same.",
        "The terminal's first paint is its first frame; the list of questions follows when the hub has been reached.",
        "A key's echo is measured with 500 questions in the list, in a text field, beside a bare Ink program that shows the key.",
        "From the moment one hub gives an answer to Redis to the moment a client of another has it, beside a Redis pub/sub message there and back.",
        "Asks a second with one, two and three hubs are set beside what the Redis' one thread could take of the same commands, by the CPU time it spent on them: on a small machine hubs wait for each other, not for Redis.",
        "The space of a pending session in Redis is set beside its record as JSON.",
        "`pnpm soak` keeps a real hub busy with stdio agents, HTTP agents of both kinds, REST, surfaces and pages that come and go, drafts, cancellations, timeouts and webhooks, and looks at what it has alive: heap after collecting garbage, memory outside of it, file descriptors, timers, listeners, abort signals, promises, the store's files.",
        "pending sessions | heap of the hub | a constant for each, the row above; [scale](scale.md) goes up to 300,000",
        " | a surface that connects | everything pending is told once, 0.9 KB a session",
        " | asking, answering, a key's echo | nothing that can be measured: lists show what fits, and deadlines are a heap with one timer",
        " | the database | some 3 KB a session, swept after `retention` (90 days)",
        " | history and search | a page is an index range; a search for text reads what it filters",
        "surfaces | an answer | the same text is written once more for each, some 5 µs",
        "calls that wait over HTTP | heap of the hub | a constant for each, the row above, most of it Node's request and response",
        "hubs on one Redis | asks a second | up to the cores there are; each hub's CPU is the limit, Redis' thread has room for many",
        " | an answer across hubs | two messages over Redis, whatever the number of hubs",
      ],
    },
  ],
};
