import type { PromisedPage } from "../promise.ts";

export const operationsLimitsPage: PromisedPage = {
  page: "docs/operations.md",
  promises: [
    {
      id: "operations.settled-sessions-removed-after",
      says: "Settled sessions are removed after 90 days, delivered or not: `askbox config set retention 30d`, or `off` to keep them.",
      tests: [
        "packages/home/test/config.test.ts > the settings > have a default each",
        "packages/core/test/broker.test.ts > retention > removes what was settled long enough ago in the background of an ask, and tells how many",
        "packages/core/test/broker.test.ts > retention > can be turned off",
        "tests/command/hub-and-config.test.ts > askbox config > writes what is valid, refuses the rest with a sentence, and says where a value comes from",
      ],
    },
    {
      id: "operations.sweeping-happens-background-ask",
      says: "Sweeping happens in the background of an ask and once a day, and says in the log how many.",
      tests: [
        "packages/core/test/broker.test.ts > retention > removes what was settled long enough ago in the background of an ask, and tells how many",
        "packages/core/test/broker.test.ts > retention > removes daily without an ask, says nothing when there was nothing, and only warns when it fails",
      ],
    },
    {
      id: "operations.pending-sessions-never-swept",
      says: "Pending sessions are never swept.",
      tests: ["packages/core/src/testing/store-contract/deadlines.ts > never removes a pending session, however old"],
    },
    {
      id: "operations.questions-session-10",
      says: "questions in a session | 10 | –",
      tests: [
        "packages/core/test/parse-ask.test.ts > reading an ask > refuses %s with one sentence",
        "tests/requirements/list/input.ts > ten questions of 1,000 characters, a title of 100 and the longest timeout are taken",
      ],
    },
    {
      id: "operations.question-title-1-000",
      says: "a question; a title | 1,000; 100 characters | –",
      tests: [
        "packages/core/test/parse-ask.test.ts > reading an ask > refuses %s with one sentence",
        "tests/requirements/list/input.ts > ten questions of 1,000 characters, a title of 100 and the longest timeout are taken",
      ],
    },
    {
      id: "operations.how-long-session-waits",
      says: "how long a session waits | 10 s to 30 min, 5 min unless it says; a person may give it up to a day from now, or no deadline | `timeout`",
      tests: [
        "packages/core/test/parse-ask.test.ts > reading an ask > refuses %s with one sentence",
        "packages/home/test/config.test.ts > the settings > have a default each",
        "packages/hub/test/rest.test.ts > REST > moves a deadline to a day from now at most, or takes it away",
      ],
    },
    {
      id: "operations.request-256-kb-limits",
      says: "a request | 256 KB | `limits.requestBytes`",
      tests: [
        "packages/hub/test/limits.test.ts > the size of a request > may be 256 KB and not a byte more",
        "packages/hub/test/limits.test.ts > the size of a request > is bounded on the wire too, and the connection stays",
        "packages/wire/test/hostile.test.ts > an asker > and a desk too is refused a request over the limit that the hub sets",
      ],
    },
    {
      id: "operations.asks-minute-token-agent",
      says: "asks a minute, by token and agent id | 100 | `limits.asksPerMinute`",
      tests: [
        "packages/hub/test/limits.test.ts > the number of asks > is 100 unless it was set: the 101st is refused, over REST and the wire, and told when to come again",
        "packages/hub/test/limits.test.ts > the number of asks > is limited in any minute, for each token and agent id",
      ],
    },
    {
      id: "operations.asks-minute-token-1",
      says: "asks a minute, by token | 1,000 | `limits.asksPerMinutePerToken`",
      tests: [
        "packages/hub/test/limits.test.ts > what one token may do, whatever agent ids it is used with > is 10 times what one agent id may ask in a minute",
      ],
    },
    {
      id: "operations.pending-sessions-token-agent",
      says: "pending sessions, by token and agent id | 1,000 | `limits.pending`",
      tests: [
        "packages/hub/test/limits.test.ts > the number of pending sessions > is limited for each token and agent id, and settled ones make room",
        "packages/home/test/config.test.ts > the settings > have a default each",
      ],
    },
    {
      id: "operations.pending-sessions-token-10",
      says: "pending sessions, by token | 10,000 | `limits.pendingPerToken`",
      tests: [
        "packages/hub/test/limits.test.ts > what one token may do, whatever agent ids it is used with > is 10 times what one agent id may have pending, and settled ones make room",
      ],
    },
    {
      id: "operations.pending-questions-token-64",
      says: "pending questions, by token | 64 MB | `limits.pendingBytesPerToken`",
      tests: [
        "packages/hub/test/limits.test.ts > what one token may do, whatever agent ids it is used with > is so many bytes of pending questions, counted over a restart too",
        "packages/home/test/config.test.ts > the settings > have a default each",
      ],
    },
    {
      id: "operations.connections-4-096",
      says: "connections | 4,096 | –",
      tests: [
        "packages/hub/test/slow-connections.test.ts > 4,096 connections, 10 s for a request's headers and 30 s for all of it are the limits unless others are set",
        "packages/hub/test/slow-connections.test.ts > 2,000 connections that send slowly hold up nobody, and are hung up on by themselves",
      ],
    },
    {
      id: "operations.request-s-headers-whole",
      says: "a request's headers; a whole request | 10 s; 30 s to arrive | –",
      tests: [
        "packages/hub/test/slow-connections.test.ts > 4,096 connections, 10 s for a request's headers and 30 s for all of it are the limits unless others are set",
        "packages/hub/test/slow-connections.test.ts > a body that never ends is hung up on, and opens no session",
      ],
    },
    {
      id: "operations.attempts-log-address-20",
      says: "attempts to log in, by address | 20 a minute | –",
      tests: ["packages/hub/test/login.test.ts > a login link > cannot be guessed at: an address has 20 attempts a minute"],
    },
    {
      id: "operations.browsers-logged-50-one",
      says: "browsers that are logged in | 50; the one that was used longest ago makes way | –",
      tests: ["packages/hub/test/login.test.ts > the devices > are at most 50: the one that was used longest ago makes way"],
    },
    {
      id: "operations.webhooks-deliveries-wait-one",
      says: "webhooks; deliveries that wait for one | 20; 1,000 | `webhooks`",
      tests: [
        "packages/home/test/config.test.ts > the settings > take 20 webhooks and no more",
        "packages/webhooks/test/restart.test.ts > webhooks over a restart of the hub > give up the oldest when more than 1,000 wait",
      ],
    },
    {
      id: "operations.api-events-how-far",
      says: "`/api/events`: how far a reader may be behind | 16 MB | –",
      tests: [
        "packages/hub/test/events.test.ts > GET /api/events > is cut for a reader that is too far behind, who gets a snapshot when it comes back",
      ],
    },
    {
      id: "operations.over-http-more-refused",
      says: "Over HTTP more is refused with 413 or 429 and `Retry-After`, over MCP with a sentence to the agent.",
      tests: [
        "packages/hub/test/limits.test.ts > the size of a request > may be 256 KB and not a byte more",
        "packages/hub/test/limits.test.ts > the number of asks > is 100 unless it was set: the 101st is refused, over REST and the wire, and told when to come again",
        "packages/hub/test/limits.test.ts > what one token may do, whatever agent ids it is used with > is 10 times what one agent id may have pending, and settled ones make room",
        "apps/mcp-http/test/mcp-tokens.test.ts > the 101st ask in a minute over MCP > is refused with a sentence to the agent that says when to come again",
      ],
    },
    {
      id: "operations.exit-code-5-hub",
      says: 'exit code 5, "no hub" | `askbox hub` in a terminal says why it does not start',
      tests: [
        "tests/command/ask-and-answer.test.ts > bad input > where no hub answers, that is exit code 5",
        "tests/command/hub-and-config.test.ts > askbox hub > that cannot run beside another says so with exit code 1, and with --json in a document",
        "apps/hub/test/lifecycle.test.ts > the hub's process > says in one sentence that its folder is not writable",
      ],
    },
    {
      id: "operations.agent-says-nobody-answered",
      says: "an agent says that nobody answered, and you did | `askbox show ID`: the answer waits, and comes with the agent's next call",
      tests: [
        "tests/requirements/list/tickets.ts > an answer that came while nobody waited comes along with the next result, once",
        "tests/faults/cancelled-call.test.ts > a call that the client cancels > while it waits leaves the question open; its answer goes to the next ask of the same",
      ],
    },
    {
      id: "operations.403-known-under-this",
      says: '403 with "not known under this name" | add the name to `hosts`',
      tests: [
        "packages/hub/test/access.test.ts > the Host and Origin headers > are checked before a token, and the refusal says what to set",
        "packages/hub/test/access.test.ts > the Host and Origin headers > are checked on every route",
      ],
    },
  ],
  explained: [
    {
      because: "advice",
      says: [
        "anything | `askbox doctor`, then the log",
        "a client gives up early | `askbox doctor --client NAME`, and [how long a client waits](clients.md#how-long-a-client-waits)",
        "the page says that its login is over | `askbox open`",
      ],
    },
    { because: "measured", says: ["[How far it goes](scale.md) has measurements."] },
  ],
};
