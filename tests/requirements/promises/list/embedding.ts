import type { PromisedPage } from "../promise.ts";

export const embeddingPage: PromisedPage = {
  page: "docs/embedding.md",
  promises: [
    {
      id: "embedding.editors-desktop-apps-ci",
      says: "Editors, desktop apps, CI runners and servers can have the engine of askbox in their own process: questions of agents go in, a person answers in a window of yours, and nothing else has to run.",
      tests: [
        "tests/examples/embedded-host.test.ts > a host asks and answers in its own process, and tells the agent what the person said",
        "tests/published/cases/programs.ts > the first sample on embedding asks, answers and tells who did it",
      ],
    },
    {
      id: "embedding.packages-es-modules-types",
      says: "The packages are ES modules with types, for Node 22.13 or newer; those marked *page* run in browsers, too.",
      tests: [
        "tests/published/manifests.test.ts > $name > says what it is, whose, under which licence, where its source is and on which Node it runs",
        "tests/published/cases/tarballs.ts > the tarball of $name > has types that hold for every way to import it",
        "tests/published/cases/browser.ts > %s is bundled for a browser whole, and nothing of Node is left in it",
        "tests/published/cases/command.ts > the command from the tarball > is run by npx on Node %s",
      ],
    },
    {
      id: "embedding.askbox-core-broker-two",
      says: "`@askbox/core` | the broker with its two ports, the question types, the session machine, a store in memory; contract suites under `./testing` | yes",
      tests: [
        "tests/published/cases/programs.ts > the first example in the README of > @askbox/core asks, answers, and prints what the README says",
        "tests/published/public-api.test.ts > what %s exports, values and types, is what was reviewed",
        "tests/published/cases/browser.ts > @askbox/core asks and answers where there is nothing but what every page has",
      ],
    },
    {
      id: "embedding.askbox-store-sqlite-sessions",
      says: "`@askbox/store-sqlite` | sessions that outlive the process | ",
      tests: [
        "tests/published/cases/programs.ts > the first example in the README of > @askbox/store-sqlite lists what an earlier process asked",
      ],
    },
    {
      id: "embedding.askbox-store-redis-several",
      says: "`@askbox/store-redis` | several processes over one inbox | ",
      tests: [
        "tests/published/cases/programs.ts > the first example in the README of > @askbox/store-redis lists what another process asked",
        "tests/cluster/redis-faults.test.ts > a question asked at one hub is seen at another, answered at a third and returned at the first",
        "packages/core/test/cluster.test.ts > several brokers over one store > are one inbox: asked at the first, seen at the second, answered at the third, returned at the first",
      ],
    },
    {
      id: "embedding.askbox-react-inbox-answer",
      says: "`@askbox/react` | the inbox and the answer form as React hooks, for a window or a page of yours | yes",
      tests: [
        "tests/published/cases/programs.ts > the first example in the README of > @askbox/react draws what waits",
        "packages/react/test/inbox.test.ts > the inbox shows what is pending, and what comes",
        "packages/react/test/answer-form.test.ts > a filled form is sent as one answer for each question, values in the options' order",
        "tests/published/cases/browser.ts > %s is bundled for a browser whole, and nothing of Node is left in it",
      ],
    },
    {
      id: "embedding.askbox-wire-ports-over",
      says: "`@askbox/wire` | ports over a distance: a WebSocket, a message port between processes, or a hub that runs already | yes",
      tests: [
        "packages/wire/test/contract.test.ts > a hub %s > as a desk > $promise.name",
        "packages/wire/test/web-socket-channel.test.ts > a channel over %s > carries text both ways, in order, also what came before anybody listened",
        "tests/examples/desk-over-message-port.test.ts > a host's windows over message ports > $contractCase.name",
        "tests/published/cases/programs.ts > the first example in the README of > @askbox/hub serves what it prints the address of, and that of @askbox/wire lists what waits there",
      ],
    },
    {
      id: "embedding.askbox-hub-rest-events",
      says: "`@askbox/hub` | REST, events and WebSocket over your broker, with tokens and limits | ",
      tests: [
        "tests/published/cases/programs.ts > the first example in the README of > @askbox/hub serves what it prints the address of, and that of @askbox/wire lists what waits there",
        "packages/hub/test/rest.test.ts > REST > opens a session and says where it is",
        "packages/hub/test/events.test.ts > GET /api/events > tells a snapshot, then every change in order, as server-sent events",
        "packages/hub/test/wire.test.ts > the wire over the hub > carries a question to a person and the answer back",
        "packages/hub/test/access.test.ts > a token > of the scope %s may do what its scope says and no more",
        "packages/hub/test/wire.test.ts > the wire over the hub > refuses a token that is unknown or of the other scope",
        "packages/wire/test/hostile.test.ts > an asker > reaches no method of a desk",
        "packages/hub/test/limits.test.ts > the number of asks > is limited in any minute, for each token and agent id",
      ],
    },
    {
      id: "embedding.askbox-mcp-mcp-tools",
      says: "`@askbox/mcp` | MCP tools over your broker for agents, and `elicit()` for your own MCP server | yes",
      tests: [
        "tests/published/cases/programs.ts > the first example in the README of > @askbox/mcp asks the client's person, and hears %s",
        "tests/mcp/requirements-in-process.test.ts > in process, with a client on %s > $sentence [$id]",
        "tests/published/cases/browser.ts > %s is bundled for a browser whole, and nothing of Node is left in it",
      ],
    },
    {
      id: "embedding.askbox-command-scripts-run",
      says: "`askbox` | the command. Scripts run it (`askbox ask … --json`); there is nothing in it to import | ",
      tests: [
        "apps/askbox/test/ask.test.ts > askbox ask > prints the tool's result with --json, and marks it delivered",
        "tests/published/public-api.test.ts > entries and commands come and go only after a review",
      ],
    },
    {
      id: "embedding.version-install-same",
      says: "All of them have one version: install the same of each.",
      tests: [
        "tests/published/manifests.test.ts > $name > has the version of all the others",
        "tests/published/manifests.test.ts > changesets versions the public packages, all as one, and no other",
        "tests/published/cases/tarballs.ts > the tarball of $name > asks for versions, not for places in a workspace, and for exactly its own of the others",
      ],
    },
    {
      id: "embedding.asker-opens-questions-waits",
      says: "An `Asker` opens questions, waits and takes back; a `Desk` sees and settles them.",
      tests: [
        "packages/core/src/testing/asker-contract/waiting.ts > another token's session cannot be waited for, withdrawn or delivered",
        "packages/wire/test/hostile.test.ts > an asker > reaches no method of a desk",
        "packages/core/src/testing/asker-contract/waiting.ts > a withdrawn session is cancelled in the asker's name and takes no answer",
        "packages/core/src/testing/desk-contract/settling.ts > a session is listed with all that a person needs to answer it",
      ],
    },
    {
      id: "embedding.neither-do-other-does",
      says: "Neither can do what the other does.",
      tests: [
        "packages/wire/test/hostile.test.ts > an asker > reaches no method of a desk",
        "packages/hub/test/access.test.ts > a token > of the scope %s may do what its scope says and no more",
      ],
    },
    {
      id: "embedding.parseask-takes-tool-ask",
      says: "**`parseAsk`** takes what the tool [`ask_user`](tools.md) takes, also in the shapes of other agents' ask tools, and throws `VALIDATION` with a sentence for the agent.",
      tests: [
        "packages/core/test/parse-ask.test.ts > reading an ask > refuses %s with one sentence",
        "packages/core/test/lenient-input.test.ts > an ask in the shape of > %s is understood",
      ],
    },
    {
      id: "embedding.open-resolves-once-question",
      says: "**`open`** resolves once the question is in the store.",
      tests: [
        "packages/core/src/testing/store-contract/sessions.ts > keeps a session exactly as it was inserted",
        "packages/core/test/broker/asker.test.ts > an asker that asks > has its session as it asked for it, and a key only where it gave one",
        "packages/core/test/broker/asker.test.ts > an asker that asks > is away again where its session could not be written",
      ],
    },
    {
      id: "embedding.equal-question-asker-gone",
      says: "An equal question of an asker that has gone joins the one that waits, and a `key` makes that explicit.",
      tests: [
        "packages/core/src/testing/asker-contract/asking-again.ts > the same ask joins the session whose asker has left, and moves its deadline",
        "packages/core/src/testing/asker-contract/waiting.ts > an ask with the key of a pending session joins it even while that is waited for",
      ],
    },
    {
      id: "embedding.wait-resolves-whatever-ends",
      says: "**`wait`** resolves with whatever ends the session: answered, cancelled, timed out.",
      tests: [
        "packages/core/src/testing/asker-contract/waiting.ts > a wait resolves with the answer that is given",
        "packages/core/src/testing/asker-contract/waiting.ts > a wait for a session that is settled resolves at once",
        "packages/core/src/testing/asker-contract/waiting.ts > a session nobody answers times out at its deadline, and not before",
      ],
    },
    {
      id: "embedding.signal-ends-wait-leaves",
      says: "A `signal` ends the wait and leaves the session; `ticketAfter` comes back to ask again later.",
      tests: [
        "packages/core/src/testing/asker-contract/waiting.ts > giving a wait up leaves the session open",
        "packages/core/src/testing/asker-contract/waiting.ts > a wait with a ticket resolves with the pending session when its time is over",
      ],
    },
    {
      id: "embedding.delivered-says-agent-result",
      says: "**`delivered`** says that your agent has the result.",
      tests: [
        "tests/requirements/list/answers.ts > an outcome counts as delivered once its result is written",
        "packages/core/test/broker/asker.test.ts > what was delivered > is written once, with the call where that is known, and nothing of an open session",
      ],
    },
    {
      id: "embedding.until-kept-asker-earlier",
      says: "Until then it is kept, and `asker.earlier(…)` has it for the agent's next call.",
      tests: [
        "packages/core/src/testing/asker-contract/asking-again.ts > undelivered outcomes are told to their own asker until they are delivered",
      ],
    },
    {
      id: "embedding.createbroker-takes-up-earlier",
      says: "**`createBroker`** takes up what an earlier process left pending.",
      tests: [
        "packages/core/test/broker.test.ts > a broker that is started again > keeps deadlines: what is overdue expires, the rest goes on",
        "packages/core/test/broker.test.ts > a broker that is started again > keeps drafts, and sends an answer that was held back when it went away",
        "packages/core/test/broker.test.ts > a broker that is started again > shows the askers of the one before as away, and gives them their session back",
      ],
    },
    {
      id: "embedding.broker-close-ends-waits",
      says: "`broker.close()` ends waits with `ABORTED` and leaves sessions as they are; the store stays yours to close.",
      tests: [
        "packages/core/test/broker/runner.test.ts > a broker > that is closed leaves no timer, no subscription and no port that works on",
        "packages/core/test/broker.test.ts > a broker that is started again > shows the askers of the one before as away, and gives them their session back",
      ],
    },
    {
      id: "embedding.timers-standardplatform-keep-process",
      says: "The timers of `standardPlatform` keep no process alive.",
      tests: [
        "packages/core/test/platform.test.ts > a platform from a runtime's globals > fires a timer once, after its delay, and keeps no process alive for it",
      ],
    },
    {
      id: "embedding.pass-clock-ids-digest",
      says: "Pass a `clock`, `ids` or `digest` of your own where you have better ones, such as a clock that stands still in tests.",
      tests: [
        "packages/core/test/broker.test.ts > a wall clock that jumps > an hour %s neither hastens nor delays a deadline",
        "tests/published/cases/browser.ts > @askbox/core asks and answers where there is nothing but what every page has",
      ],
    },
    {
      id: "embedding.owner-broker-asker-owner",
      says: "The owner that `broker.asker(owner)` is given separates askers: one sees its own sessions alone.",
      tests: ["packages/core/src/testing/asker-contract/waiting.ts > another token's session cannot be waited for, withdrawn or delivered"],
    },
    {
      id: "embedding.answerer-broker-desk-surface",
      says: "The answerer that `broker.desk({ surface, name })` is given stands in every answer as `answeredBy`.",
      tests: [
        "packages/core/src/testing/desk-contract/settling.ts > of two answers at once the first wins and the other is told who gave it",
        "packages/core/src/testing/asker-contract/waiting.ts > a wait resolves with the answer that is given",
      ],
    },
  ],
  explained: [
    {
      because: "advice",
      says: [
        "A store, a broker over it, and the broker's two ports.",
        "What to know of it:",
        "A timeout is not a no: look at `answered`.",
        "Who may have which port is for your program to decide: give agents an `Asker` and nothing else.",
      ],
    },
  ],
};
