import type { PromisedPage } from "../promise.ts";

export const architecturePage: PromisedPage = {
  page: "docs/architecture.md",
  promises: [
    {
      id: "architecture.coding-agent-asks-person",
      says: "A coding agent asks, a person answers, and neither has to be there when the other is.",
      tests: [
        "tests/command/ask-and-answer.test.ts > askbox in a shell > a question outlives the process that asked it, and the hub",
        "tests/requirements/list/calls.ts > a client that goes away leaves its questions open, and its answer waits for the next connection",
      ],
    },
    {
      id: "architecture.between-one-process-machine",
      says: "In between is one process on the machine, the *hub*, which keeps every question on disk until its asker has been given the outcome.",
      tests: [
        "tests/command/ask-and-answer.test.ts > askbox in a shell > a question outlives the process that asked it, and the hub",
        "packages/core/src/testing/store-contract/durable.ts > has every session and draft after it is reopened",
      ],
    },
    {
      id: "architecture.packages-core-session-machine",
      says: "`packages/core` | the session machine, the [question types](question-types.md), the broker, the ports, the memory store; contract suites under `./testing` | zod; xstate in `src/session`",
      tests: [
        "tests/workspace/rules.test.ts > the rules of the workspace > reject: $rule",
        "tests/workspace/rules.test.ts > the rules of the workspace > find nothing to reject in the tree as it is",
      ],
    },
    {
      id: "architecture.packages-wire-hub-s",
      says: "`packages/wire` | the hub's protocol: schemas, a client and a handler over any text channel | core, zod",
      tests: [
        "tests/workspace/rules.test.ts > the rules of the workspace > reject: $rule",
        "tests/workspace/rules.test.ts > the rules of the workspace > find nothing to reject in the tree as it is",
      ],
    },
    {
      id: "architecture.packages-mcp-mcp-tools",
      says: "`packages/mcp` | the MCP tools over any `Asker`, for clients that take tasks as tasks; `elicit()` for other servers; forms and questions; the table of clients and their limits | core, zod, the MCP SDK",
      tests: [
        "tests/workspace/rules.test.ts > the rules of the workspace > reject: $rule",
        "tests/workspace/rules.test.ts > the rules of the workspace > find nothing to reject in the tree as it is",
      ],
    },
    {
      id: "architecture.packages-hub-http-server",
      says: "`packages/hub` | an HTTP server to embed: wire, REST, tokens, limits, checks of Host and Origin | core, wire, hono, ws, zod, Node",
      tests: [
        "tests/workspace/rules.test.ts > the rules of the workspace > reject: $rule",
        "tests/workspace/rules.test.ts > the rules of the workspace > find nothing to reject in the tree as it is",
      ],
    },
    {
      id: "architecture.packages-home-askbox-s",
      says: "`packages/home` | askbox's folder on a machine: paths, config, runtime files, log, the way to the hub | core, wire, ws, zod, Node",
      tests: [
        "tests/workspace/rules.test.ts > the rules of the workspace > reject: $rule",
        "tests/workspace/rules.test.ts > the rules of the workspace > find nothing to reject in the tree as it is",
      ],
    },
    {
      id: "architecture.packages-clients-sets-askbox",
      says: "`packages/clients` | sets askbox up in agents' clients and takes it out again; one file a client | core, home, mcp, editors of JSON and TOML, Node",
      tests: [
        "tests/workspace/rules.test.ts > the rules of the workspace > reject: $rule",
        "tests/workspace/rules.test.ts > the rules of the workspace > find nothing to reject in the tree as it is",
      ],
    },
    {
      id: "architecture.packages-attention-calls-person",
      says: "`packages/attention` | calls a person to questions that come while nobody is there: browser, notification, tmux popup, command | core, Node",
      tests: [
        "tests/workspace/rules.test.ts > the rules of the workspace > reject: $rule",
        "tests/workspace/rules.test.ts > the rules of the workspace > find nothing to reject in the tree as it is",
      ],
    },
    {
      id: "architecture.packages-webhooks-tells-other",
      says: "`packages/webhooks` | tells other systems of sessions that open and settle: signed webhooks and ntfy pushes, with retries | attention, core, Node",
      tests: [
        "tests/workspace/rules.test.ts > the rules of the workspace > reject: $rule",
        "tests/workspace/rules.test.ts > the rules of the workspace > find nothing to reject in the tree as it is",
      ],
    },
    {
      id: "architecture.packages-store-sqlite-sessions-disk",
      says: "`packages/store-sqlite` | sessions on disk | core, `node:sqlite`",
      tests: [
        "tests/workspace/rules.test.ts > the rules of the workspace > reject: $rule",
        "tests/workspace/rules.test.ts > the rules of the workspace > find nothing to reject in the tree as it is",
      ],
    },
    {
      id: "architecture.packages-store-redis-sessions-redis",
      says: "`packages/store-redis` | sessions on Redis or Valkey, and what several hubs over one inbox share; servers for tests under `./testing` | core, `@redis/client`, Node",
      tests: [
        "tests/workspace/rules.test.ts > the rules of the workspace > reject: $rule",
        "tests/workspace/rules.test.ts > the rules of the workspace > find nothing to reject in the tree as it is",
      ],
    },
    {
      id: "architecture.apps-mcp-stdio-mcp-server",
      says: "`apps/mcp-stdio` | the MCP server on stdio | packages",
      tests: [
        "tests/workspace/rules.test.ts > the rules of the workspace > reject: $rule",
        "tests/workspace/rules.test.ts > the rules of the workspace > find nothing to reject in the tree as it is",
      ],
    },
    {
      id: "architecture.apps-mcp-http-hub-s",
      says: "`apps/mcp-http` | the hub's process: lock, store, idle exit; MCP over HTTP, mounted on the hub | packages",
      tests: [
        "tests/workspace/rules.test.ts > the rules of the workspace > reject: $rule",
        "tests/workspace/rules.test.ts > the rules of the workspace > find nothing to reject in the tree as it is",
      ],
    },
    {
      id: "architecture.apps-askbox-published-command",
      says: "`apps/askbox` | the published command | packages and apps",
      tests: [
        "tests/workspace/rules.test.ts > the rules of the workspace > reject: $rule",
        "tests/workspace/rules.test.ts > the rules of the workspace > find nothing to reject in the tree as it is",
      ],
    },
    {
      id: "architecture.tests-crosses-packages-packages",
      says: "`tests` | what crosses packages; `tests/fuzz` sends every parser what nobody would | packages and the command; `tests/fuzz` parsers where they are",
      tests: [
        "tests/workspace/rules.test.ts > the rules of the workspace > reject: $rule",
        "tests/workspace/rules.test.ts > the rules of the workspace > find nothing to reject in the tree as it is",
      ],
    },
    {
      id: "architecture.examples-small-programs-use",
      says: "`examples` | small programs that use the packages as others do, each run by a test in `tests/examples` | public packages, through what they publish",
      tests: [
        "tests/workspace/rules.test.ts > the rules of the workspace > reject: $rule",
        "tests/workspace/rules.test.ts > the rules of the workspace > find nothing to reject in the tree as it is",
      ],
    },
    {
      id: "architecture.bench-askbox-costs-each",
      says: "`bench` | [what askbox costs](performance.md), each beside its floor; a [simulation](scale.md) of many pending sessions | packages and the command",
      tests: [
        "tests/workspace/rules.test.ts > the rules of the workspace > reject: $rule",
        "tests/workspace/rules.test.ts > the rules of the workspace > find nothing to reject in the tree as it is",
      ],
    },
    {
      id: "architecture.biome-json-holds-last",
      says: "`biome.json` holds the last column, one allow-list for each folder; `tests/workspace/rules.test.ts` breaks each rule in a copy of the tree and sees it rejected.",
      tests: [
        "tests/workspace/rules.test.ts > the rules of the workspace > reject: $rule",
        "tests/workspace/rules.test.ts > the rules of the workspace > complain about the seeded files alone",
      ],
    },
    {
      id: "architecture.core-compiles-lib-es2024",
      says: 'The core compiles with `lib: ["ES2024"]` and no ambient types, so a timer, `fetch` or a Node module in it is a compile error.',
      tests: ["tests/workspace/rules.test.ts > the rules of the workspace > reject: $rule"],
    },
  ],
  explained: [
    {
      because: "advice",
      says: [
        "`core`, `wire`, `mcp`, `hub`, `react`, both stores and `apps/askbox` are [published](decisions/packages.md), and can be [embedded](embedding.md); the rest is askbox's own.",
      ],
    },
  ],
};
