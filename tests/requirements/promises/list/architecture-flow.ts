import type { PromisedPage } from "../promise.ts";

export const architectureFlowPage: PromisedPage = {
  page: "docs/architecture.md",
  promises: [
    {
      id: "architecture.packages-mcp-checks-input",
      says: "`packages/mcp` checks the input against the contract and calls `Asker.open`, then `Asker.wait`.",
      tests: [
        "packages/mcp/test/schemas.test.ts > the published schemas > what the input schema says is what the core takes",
        "tests/requirements/list/input.ts > ten questions of 1,000 characters, a title of 100 and the longest timeout are taken",
      ],
    },
    {
      id: "architecture.over-wire-hub-s",
      says: "Over the wire the hub's broker opens a session: the machine makes the pending state, the store has it on disk before anybody is told.",
      tests: [
        "packages/core/src/testing/store-contract/changes.ts > tells a change only after it can be read",
        "tests/faults/hub-killed.test.ts > a hub that is killed > gives the answer that it had acknowledged to the asker, even when it is killed at that moment",
      ],
    },
    {
      id: "architecture.person-s-askbox-answer",
      says: "A person's `askbox answer` calls `Desk.answer`.",
      tests: [
        "apps/askbox/test/answer-and-cancel.test.ts > askbox answer > answers one question by its option's text and says what was answered",
      ],
    },
    {
      id: "architecture.broker-reads-session-steps",
      says: "The broker reads the session, steps the machine, and replaces the stored record by compare-and-set on its revision.",
      tests: [
        "packages/core/src/testing/store-contract/sessions.ts > lets exactly one of many simultaneous replaces win",
        "packages/core/src/testing/store-contract/sessions.ts > changes nothing when the revision is stale",
      ],
    },
    {
      id: "architecture.first-succeed-settled-whoever",
      says: "The first to succeed has settled it; whoever comes second is told what stands.",
      tests: [
        "packages/core/src/testing/desk-contract/settling.ts > of two answers at once the first wins and the other is told who gave it",
        "tests/faults/first-answer-wins.test.ts > the first answer wins > of two answers at the same instant, a thousand times: one winner, and the loser is told who it was and where",
      ],
    },
    {
      id: "architecture.every-wait-session-resolves",
      says: "Every wait for that session resolves with the outcome.",
      tests: [
        "packages/core/src/testing/asker-contract/waiting.ts > a wait resolves with the answer that is given",
        "packages/core/src/testing/asker-contract/waiting.ts > two waits for one session are both told",
      ],
    },
    {
      id: "architecture.mcp-server-writes-result",
      says: "The MCP server writes the result and reports it as delivered; an outcome that nobody could be given stays and comes along with the asker's next result.",
      tests: [
        "tests/requirements/list/answers.ts > an outcome counts as delivered once its result is written",
        "tests/requirements/list/tickets.ts > an answer that came while nobody waited comes along with the next result, once",
      ],
    },
    {
      id: "architecture.machine-four-states-pending",
      says: "The machine has four states, `pending` to `answered`, `cancelled` or `timedOut`, and no clock: a deadline is a number in its context, and its passing an ordinary event that the broker sends.",
      tests: [
        "packages/core/test/machine-paths.test.ts > the session machine, walked along every path > reaches each of its four states",
        "packages/core/test/machine-paths.test.ts > the session machine, walked along every path > takes no event once it is settled",
        "packages/core/test/machine-paths.test.ts > the session machine, walked along every path > times out only at or after the deadline it then has",
      ],
    },
    {
      id: "architecture.broker-keeps-time-over",
      says: "The broker keeps time over an injected `Clock`.",
      tests: [
        "packages/core/test/broker.test.ts > a wall clock that jumps > an hour %s neither hastens nor delays a deadline",
        "tests/faults/deadlines.test.ts > a deadline > passes when its time is over, neither sooner nor later, when the wall clock moves $jump",
      ],
    },
    {
      id: "architecture.pnpm-machine-diagram-walks",
      says: "`pnpm machine:diagram` walks it and draws what it takes:",
      tests: ["tests/examples/machine-alone.test.ts > the diagram in %s is the machine as it is; if not, run pnpm machine:diagram"],
    },
    {
      id: "architecture.asker-can-open-wait",
      says: "`Asker` can open, wait and withdraw; `Desk` can list, answer, cancel and extend.",
      tests: [
        "packages/core/src/testing/asker-contract/waiting.ts > another token's session cannot be waited for, withdrawn or delivered",
        "packages/wire/test/hostile.test.ts > an asker > reaches no method of a desk",
      ],
    },
    {
      id: "architecture.there-scope-token-each",
      says: "There is a scope of token for each, and an asker's token opens no desk.",
      tests: [
        "packages/hub/test/access.test.ts > a token > of the scope %s may do what its scope says and no more",
        "packages/hub/test/wire.test.ts > the wire over the hub > refuses a token that is unknown or of the other scope",
        "packages/wire/test/hostile.test.ts > an asker > reaches no method of a desk",
      ],
    },
    {
      id: "architecture.client-s-own-form",
      says: "A client's own form is the one answer that comes from an asker's side, through `Asker.forms`, and only where the hub's config allows it.",
      tests: [
        "packages/core/src/testing/asker-contract/forms.ts > an answer from a client's own form is refused unless it was allowed, and changes nothing",
        "tests/mcp/client-form.test.ts > a hub takes answers from clients' forms once its person has said so in its config, and not before",
      ],
    },
    {
      id: "architecture.broker-implements-both-ports",
      says: "The broker implements both ports, and so does the wire's client: a surface cannot tell a broker in its own process from one behind a socket.",
      tests: [
        "packages/core/test/broker-contract.test.ts > %s > as a desk > $promise.name",
        "packages/wire/test/contract.test.ts > a hub %s > as a desk > $promise.name",
      ],
    },
    {
      id: "architecture.both-pass-same-contract",
      says: "Both pass the same contract suites, which `@askbox/core/testing` exports for anybody who writes another store or another way in.",
      tests: [
        "packages/core/test/broker-contract.test.ts > %s > as a desk > $promise.name",
        "packages/wire/test/contract.test.ts > a hub %s > as a desk > $promise.name",
        "packages/store-sqlite/test/contract.test.ts > the SQLite store > $contractCase.name",
      ],
    },
    {
      id: "architecture.whoever-needs-hub-first",
      says: "Whoever needs the hub first starts it, detached, in the background.",
      tests: [
        "tests/command/ask-and-answer.test.ts > askbox in a shell > a question is listed, shown and answered from another process, and the hub starts by itself",
        "packages/home/test/environment.test.ts > the environment of a hub that starts by itself > has what it needs and nothing else of the agent's",
      ],
    },
    {
      id: "architecture.lock-home-folder-released",
      says: "A lock in the home folder, released by the operating system with the process, makes sure there is one; those who lose the race wait for the winner.",
      tests: [
        "apps/mcp-http/test/race.test.ts > one hub for each home > starts exactly once when ten clients come at the same moment, 50 rounds in a row",
        "apps/mcp-http/test/race.test.ts > one hub for each home > has one winner when ten hubs race, and the others leave with 0",
      ],
    },
    {
      id: "architecture.clients-check-answers-port",
      says: "Clients check who answers on the port, by an HMAC over a nonce, before they show a token.",
      tests: [
        "apps/mcp-http/test/connect.test.ts > the way to the hub > shows no token to a stranger on the hub's port, and starts a hub elsewhere",
        "packages/hub/test/access.test.ts > the hub's health > is open to all and proves who it is to one who knows the secret",
      ],
    },
    {
      id: "architecture.client-loses-hub-reconnects",
      says: "A client that loses its hub reconnects, starting it again if need be, and takes up its waits by session id.",
      tests: [
        "packages/wire/test/reconnect.test.ts > after a loss > two hundred waits on one connection are attached again, and each gets its own outcome",
        "apps/mcp-http/test/connect.test.ts > the way to the hub > is found again when the hub was killed: the client starts the next one",
      ],
    },
    {
      id: "architecture.over-redis-several-hubs",
      says: "Over a Redis that several hubs use, each has a broker of its own over the same store.",
      tests: [
        "packages/core/test/cluster.test.ts > several brokers over one store > are one inbox: asked at the first, seen at the second, answered at the third, returned at the first",
      ],
    },
    {
      id: "architecture.single-broker-keeps-memory",
      says: "What a single broker keeps in memory they share through a small port, `SharedState` in the core: leases, counts and news.",
      tests: [
        "packages/core/test/shared-memory.test.ts > what brokers of one process share > $promise.name",
        "packages/store-redis/test/shared.test.ts > what hubs share on Redis > $promise.name",
      ],
    },
    {
      id: "architecture.hub-tells-others-presence",
      says: "A hub tells the others of its presence and drafts, numbered, so that whoever misses something asks for everything; a lease for each session says which hub has its asker, and only that one hands its outcome to anybody or lets an equal ask join it.",
      tests: [
        "packages/core/test/cluster.test.ts > several brokers over one store > tell one that comes later who is there already",
        "packages/core/test/cluster.test.ts > a broker that was cut off from the others > is known again afterwards, with everybody who waits there",
        "packages/core/test/cluster.test.ts > equal asks at several brokers > do not join a session whose asker waits at a broker that is slow to tell",
      ],
    },
    {
      id: "architecture.pnpm-build-runs-tsc",
      says: "`pnpm build` runs `tsc` in each package through turbo, then bundles the command with rolldown: one chunk for each dynamic import, so that `askbox mcp` loads neither the other commands nor the hub.",
      tests: ["tests/command/nobody-else.test.ts > askbox mcp loads neither the other commands nor the hub before it lists its tools"],
    },
  ],
  explained: [
    {
      because: "purpose",
      says: [
        "The agent calls `ask_user`.",
        "Each tool contract is two files of `packages/mcp`: `dialects/` publishes it, `speech/` reads its calls and words its results, and is loaded with the first call.",
        "What other agents' ask tools call a field, and how they write an answer, is the core's (`session/lenient-input.ts`, `shapes/`), so that REST, commands and hooks understand it too.",
        "Tests and benchmarks run on the sources, by the export condition `askbox-source`.",
      ],
    },
    {
      because: "advice",
      says: ["`docs/deploy.md` says how to run them."],
    },
  ],
};
