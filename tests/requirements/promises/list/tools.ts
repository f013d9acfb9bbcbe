import type { PromisedPage } from "../promise.ts";

export const toolsPage: PromisedPage = {
  page: "docs/tools.md",
  promises: [
    {
      id: "tools.askbox-mcp-tools-b",
      says: "`askbox mcp --tools a,b`, or `?tools=a,b` in a hub's [URL](http.md), chooses what an agent is offered.",
      tests: [
        "apps/mcp-http/test/mcp-access.test.ts > who asks > gets the tools that the address names, and a sentence when it names others",
        "packages/mcp/test/schemas.test.ts > the published schemas > every dialect publishes a tool of its own name",
      ],
    },
    {
      id: "tools.whatever-calls-question-comes",
      says: "Whatever it calls, the question comes into the same inbox, and `get_answer` goes on waiting where a client's own limit comes first.",
      tests: [
        "tests/requirements/list/answers.ts > the person sees which client asks, and in which project",
        "tests/requirements/list/schema.ts > get_answer is listed where the client's limit is known or the client is not, and nowhere else",
        "tests/requirements/list/tickets.ts > get_answer goes on waiting for its session and brings the answer",
      ],
    },
    {
      id: "tools.questions-1-10-any",
      says: "questions | 1–10 of any type | 1–4, each with 2–4 options | one, in plain words",
      tests: [
        "tests/requirements/list/input.ts > ten questions of 1,000 characters, a title of 100 and the longest timeout are taken",
        "tests/requirements/list/ask-user-questions.ts > the schema: 1-4 questions of prompt, title, 2-4 options of label and description, and multiSelect",
        "tests/requirements/list/ask-human.ts > the tool takes question and agent_id, and its description says to pass the id as it was given",
      ],
    },
    {
      id: "tools.time-5-minutes-call",
      says: "time | 5 minutes, or the call's `timeout` | 5 minutes | 10 minutes",
      tests: [
        "tests/requirements/list/input.ts > type, required and timeout take the contract's defaults",
        "tests/requirements/list/ask-user-questions.ts > timeout: a call waits 5 minutes, unless the server was told otherwise",
        "tests/requirements/list/ask-human.ts > the person has 10 minutes; then the call is an error",
      ],
    },
    {
      id: "tools.answered-json-both-fields",
      says: "answered | JSON, in both fields of the result | a numbered text | the reply itself",
      tests: [
        "tests/requirements/list/answers.ts > the text is the JSON of exactly the structured content, and tells who answered",
        "tests/requirements/list/ask-user-questions.ts > successful flow: the text numbers the questions, with chosen labels and descriptions, own words, or that nothing was answered",
        "tests/requirements/list/ask-human.ts > the call blocks until the person replies, and its result is the reply as it was written",
      ],
    },
    {
      id: "tools.turned-down-cancelled-true",
      says: "turned down | `cancelled: true`, with the reason | a message, with the reason | an error, with the reason",
      tests: [
        "tests/requirements/list/examples.ts > example 5, user cancels: the four fields are the contract's, and the reason comes along",
        "tests/requirements/list/ask-user-questions.ts > rejection: a message that says so, with the reason",
        "tests/requirements/list/ask-human.ts > a question that is turned down is an error with the reason",
      ],
    },
    {
      id: "tools.timed-out-timedout-true",
      says: "timed out | `timedOut: true` | an error with `status: timed_out` | an error",
      tests: [
        "tests/requirements/list/examples.ts > example 6, timeout: the four fields are the contract's, and it is told whether anybody saw the question",
        "tests/requirements/list/ask-user-questions.ts > timeout: an error that says so, and the session's status is timed_out",
        "tests/requirements/list/ask-human.ts > the person has 10 minutes; then the call is an error",
      ],
    },
    {
      id: "tools.client-s-limit-comes",
      says: "the client's limit comes first | `pending: true, sessionId` | a sentence with the sessionId | a sentence with the sessionId",
      tests: [
        "tests/requirements/list/tickets.ts > a call that has to come back brings a ticket in both fields, and the session stays open",
        "tests/requirements/list/ask-user-questions.ts > where the client's limit comes first, a sentence holds the place, and get_answer brings the answer in words",
        "tests/requirements/list/ask-human.ts > where the client's limit comes first, a sentence holds the place, and get_answer brings the reply itself",
      ],
    },
    {
      id: "tools.person-can-always-write",
      says: "The person can always write an answer of their own beside or instead of the options, unless an `ask_user` question says `allowOther: false`.",
      tests: [
        "tests/requirements/list/answers.ts > Other alone is customText with empty values, and satisfies required",
        "packages/core/src/testing/desk-contract/settling.ts > Other stands beside choices, and alone where one choice is due",
      ],
    },
    {
      id: "tools.timeout-ms-sets-another",
      says: "`--timeout MS` sets another time for calls that name none, `--name S` the server's name.",
      tests: [
        "tests/requirements/list/ask-human.ts > another time can be set for the server",
        "tests/requirements/list/ask-user-questions.ts > the server goes by the name it was given, and its instructions tell a model when to ask",
        "apps/mcp-stdio/test/stdio-server.test.ts > the stdio server > takes the default timeout from the flag, else from the environment",
      ],
    },
    {
      id: "tools.answer-comes-was-given",
      says: "An answer comes as it was given: to nobody but the asker, and never invented.",
      tests: [
        "tests/requirements/list/answers.ts > several calls at once each get their own answer",
        "packages/core/src/testing/asker-contract/waiting.ts > another token's session cannot be waited for, withdrawn or delivered",
        "tests/faults/history/check.test.ts > the checker of histories > rejects $fault",
      ],
    },
    {
      id: "tools.call-cancelled-whose-client",
      says: "A call that is cancelled, or whose client goes, leaves its question open.",
      tests: [
        "tests/requirements/list/calls.ts > a cancelled call leaves its questions open, and asking again joins them",
        "tests/requirements/list/calls.ts > a client that goes away leaves its questions open, and its answer waits for the next connection",
      ],
    },
    {
      id: "tools.on-cancel-withdraw-takes-question",
      says: "With `--on-cancel withdraw` it takes the question back.",
      tests: ["tests/requirements/list/calls.ts > under on-cancel withdraw a cancelled call takes its questions back"],
    },
    {
      id: "tools.same-questions-asked-again",
      says: "The same questions asked again, by the same client, project, agent id and token, join the question that was left, and its deadline moves to the later of the two.",
      tests: [
        "packages/core/src/testing/asker-contract/asking-again.ts > the same ask joins the session whose asker has left, and moves its deadline",
        "packages/core/src/testing/asker-contract/asking-again.ts > asks that differ in text, project or agent do not join each other",
      ],
    },
    {
      id: "tools.while-somebody-still-waits",
      says: "While somebody still waits for it, a second ask is a question of its own.",
      tests: [
        "packages/core/src/testing/asker-contract/waiting.ts > the same ask while the first is still waited for is a session of its own",
      ],
    },
    {
      id: "tools.was-answered-last-15",
      says: "What was answered in the last 15 minutes and reached nobody is given to the same ask at once, marked `late`.",
      tests: [
        "packages/core/src/testing/asker-contract/waiting.ts > an answer that came while nobody waited is given to the next equal ask, marked late",
        "packages/core/src/testing/asker-contract/asking-again.ts > an answer older than 15 minutes is not given to an equal ask",
        "tests/requirements/list/calls.ts > an answer to a cancelled call is given to the same ask at once, marked late",
      ],
    },
    {
      id: "tools.set-confirm-asked-again",
      says: "A set with a `confirm` in it is asked again, and the person is shown the earlier answer.",
      tests: [
        "packages/core/src/testing/asker-contract/asking-again.ts > a set with a confirm in it is never answered from the past, but shows the earlier answer",
      ],
    },
    {
      id: "tools.key-joins-pending-session",
      says: "A `key` joins the pending session of that key, whoever waits.",
      tests: [
        "packages/core/src/testing/asker-contract/waiting.ts > an ask with the key of a pending session joins it even while that is waited for",
      ],
    },
    {
      id: "tools.outcome-reached-no-call",
      says: "An outcome that reached no call comes along as `earlier[]` with the next result of the same asker, once it is delivered never again.",
      tests: [
        "packages/core/src/testing/asker-contract/asking-again.ts > undelivered outcomes are told to their own asker until they are delivered",
        "tests/requirements/list/tickets.ts > an answer that came while nobody waited comes along with the next result, once",
      ],
    },
    {
      id: "tools.progress-comes-least-every",
      says: "Progress comes at least every 15 s to a call that asked for it; its first message says where to answer.",
      tests: [
        "tests/requirements/list/calls.ts > progress arrives at least every 15 s for as long as a call lasts, and not after",
        "tests/requirements/list/calls.ts > progress arrives at once and says how to answer",
      ],
    },
    {
      id: "tools.where-no-hub-can",
      says: "Where no hub can be reached or started the call fails at once with what to do, and with the client's own question tool as the way out.",
      tests: [
        "packages/mcp/test/failures.test.ts > what an agent is told when askbox cannot do its part > without a hub %s is told at once what to do, and to use its own %s",
        "apps/mcp-stdio/test/stdio-server.test.ts > the stdio server > says at once that no hub could be started, and names the client's own tool",
      ],
    },
    {
      id: "tools.hub-goes-away-middle",
      says: "A hub that goes away in the middle is joined again within a minute, or the call fails; the question stays.",
      tests: [
        "packages/mcp/test/failures.test.ts > what an agent is told when askbox cannot do its part > a hub lost during the question leaves the session's id, to go on waiting",
        "packages/mcp/test/dialects.test.ts > $tool > a hub that goes away during the question is an error with the way back to it",
        "packages/wire/test/patience.test.ts > patience > ends a request a minute after the loss, and not before",
      ],
    },
  ],
  explained: [
    {
      because: "purpose",
      says: ["Where two contracts disagree, each keeps its own ways."],
    },
  ],
};
