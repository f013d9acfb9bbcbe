import type { PromisedPage } from "../promise.ts";

export const guaranteesPage: PromisedPage = {
  page: "docs/guarantees.md",
  promises: [
    {
      id: "guarantees.each-promise-below-says",
      says: "Each promise below says what it rests on and which tests hold it.",
      tests: [
        "tests/faults/guarantees.test.ts > docs/guarantees.md > has a test, and something that it rests on, for each promise",
        "tests/faults/guarantees.test.ts > docs/guarantees.md > names a test that exists: $sentence",
      ],
    },
    {
      id: "guarantees.whoever-answers-told-sent",
      says: 'Whoever answers is told "sent" when the answer is on the disk, and not before.',
      tests: [
        "packages/core/test/broker.test.ts > a store that fails > makes an answer fail, and nobody is told that it was sent",
        "tests/faults/hub-killed.test.ts > a hub that is killed > gives the answer that it had acknowledged to the asker, even when it is killed at that moment",
        "packages/store-sqlite/test/killed.test.ts > has every write that it acknowledged after its process was killed, time and again",
      ],
    },
    {
      id: "guarantees.then-waits-agent-call",
      says: "It then waits for its agent: in the call that asks, in the next equal ask (for 15 minutes, marked `late`), in `earlier[]` of any later result of the same asker, or in `get_answer`; for as long as sessions are kept (90 days).",
      tests: [
        "packages/core/src/testing/asker-contract/waiting.ts > an answer that came while nobody waited is given to the next equal ask, marked late",
        "packages/core/src/testing/asker-contract/asking-again.ts > undelivered outcomes are told to their own asker until they are delivered",
        "packages/core/src/testing/asker-contract/asking-again.ts > an answer older than 15 minutes is not given to an equal ask",
        "tests/requirements/list/tickets.ts > an answer that came while nobody waited comes along with the next result, once",
        "tests/requirements/list/tickets.ts > get_answer without an id brings what was answered meanwhile, at once",
        "packages/core/test/broker.test.ts > retention > removes what was settled long enough ago in the background of an ask, and tells how many",
      ],
    },
    {
      id: "guarantees.pending-sessions-their-deadlines",
      says: "Pending sessions, their deadlines, half-written drafts and answers that are held back for a moment are in the store.",
      tests: [
        "tests/faults/hub-killed.test.ts > a hub that is killed > leaves 100 pending sessions, their deadlines and 10 half-written drafts, and each call gets its own answer from the next hub",
        "packages/core/test/broker.test.ts > a broker that is started again > keeps drafts, and sends an answer that was held back when it went away",
      ],
    },
    {
      id: "guarantees.calls-wait-surfaces-watch",
      says: "Calls that wait, and surfaces that watch, find the next hub by themselves within 60 s; agents and commands start it.",
      tests: [
        "tests/faults/hub-killed.test.ts > a hub that is killed > is followed by one that gives a surface that watched a fresh snapshot, with what came in between",
        "tests/faults/hub-killed.test.ts > a hub that is killed > leaves 100 pending sessions, their deadlines and 10 half-written drafts, and each call gets its own answer from the next hub",
        "packages/wire/test/patience.test.ts > patience > ends a request a minute after the loss, and not before",
        "apps/hub/test/connect.test.ts > the way to the hub > is found again when the hub was killed: the client starts the next one",
      ],
    },
    {
      id: "guarantees.killed-random-calls-wait",
      says: "Killed at random, with calls that wait at each of them, they lose no answer; a call goes on at another hub; an outcome is given to one call, wherever equal asks come.",
      tests: [
        "tests/cluster/killed-in-traffic.test.ts > of three hubs over one Redis, killed at random points of the traffic, none loses an answer, gives a session two winners, hands a call an outcome twice or invents one",
        "tests/cluster/redis-faults.test.ts > a hub that is killed while 1,000 calls wait at it loses none: each goes on at another and gets its own answer",
        "packages/core/test/cluster.test.ts > equal asks at several brokers > are told an earlier outcome once, wherever they ask for it, and never after it was delivered",
      ],
    },
    {
      id: "guarantees.redis-restarted-stops-cut",
      says: "A Redis that is restarted, stops, is cut off from one hub or fails over refuses what is sent meanwhile, and everything goes on.",
      tests: [
        "tests/cluster/redis-faults.test.ts > a Redis that is restarted, or stops for a while, refuses what is sent meanwhile, and everything goes on",
        "tests/cluster/redis-faults.test.ts > a hub that is cut off from the Redis refuses, while the others go on; then its own calls get their answers",
        "tests/cluster/redis-faults.test.ts > a Redis that fails over to its replica keeps every answer that was acknowledged",
      ],
    },
    {
      id: "guarantees.teams-spaces-their-own",
      says: "Teams in spaces of their own see nothing of each other.",
      tests: ["tests/cluster/redis-faults.test.ts > teams that share a Redis see nothing of each other"],
    },
    {
      id: "guarantees.however-server-ends-no",
      says: "However its server ends, no process stays behind, the session stays open, its asker is shown away, and the answer goes to the agent that comes next.",
      tests: [
        "tests/faults/agent-gone.test.ts > an agent's server that is ended in mid-question by $name > leaves no process behind and is shown away; its answers go to the next ask, and to get_answer",
      ],
    },
    {
      id: "guarantees.call-cancelled-same-without",
      says: "A call that is cancelled is the same without the end.",
      tests: [
        "tests/faults/cancelled-call.test.ts > a call that the client cancels > while it waits leaves the question open; its answer goes to the next ask of the same",
      ],
    },
    {
      id: "guarantees.no-call-given-outcome",
      says: "No call is given an outcome twice.",
      tests: [
        "tests/faults/killed-in-traffic.test.ts > killed at random points of the traffic, the hub loses no answer, has one winner a session, hands no call an outcome twice and invents none",
        "packages/core/src/testing/asker-contract/asking-again.ts > an outcome under way to one call is not given to another",
        "tests/faults/cancelled-call.test.ts > a call that the client cancels > at the moment of the answer gets that answer, or a later call does: never none, never both",
      ],
    },
    {
      id: "guarantees.session-one-outcome-never",
      says: "A session has one outcome, which never changes.",
      tests: [
        "packages/core/test/machine-properties.test.ts > any sequence of events > leaves at most one outcome, and nothing changes after it",
        "packages/core/test/machine-paths.test.ts > the session machine, walked along every path > takes no event once it is settled",
      ],
    },
    {
      id: "guarantees.whoever-comes-second-told",
      says: "Whoever comes second is told what was answered, by whom and where.",
      tests: [
        "tests/faults/first-answer-wins.test.ts > the first answer wins > of two answers at the same instant, a thousand times: one winner, and the loser is told who it was and where",
        "packages/core/src/testing/desk-contract/settling.ts > of two answers at once the first wins and the other is told who gave it",
      ],
    },
    {
      id: "guarantees.two-agents-ask-same",
      says: "Two agents that ask the same at the same time have two sessions.",
      tests: [
        "tests/faults/first-answer-wins.test.ts > the first answer wins > of two agents in one folder that ask the same at once, each has a session and an answer of its own",
        "packages/core/src/testing/asker-contract/waiting.ts > the same ask while the first is still waited for is a session of its own",
      ],
    },
    {
      id: "guarantees.no-outcome-stands-nobody",
      says: "No outcome stands that nobody gave.",
      tests: [
        "tests/faults/history/check.test.ts > the checker of histories > rejects $fault",
        "tests/faults/killed-in-traffic.test.ts > killed at random points of the traffic, the hub loses no answer, has one winner a session, hands no call an outcome twice and invents none",
      ],
    },
    {
      id: "guarantees.timeout-says-one-whether",
      says: "A timeout says that it is one, and whether anybody had the question open.",
      tests: [
        "tests/requirements/list/examples.ts > example 6, timeout: the four fields are the contract's, and it is told whether anybody saw the question",
        "packages/hub/test/broker-features.test.ts > what an asker is given over REST > says of a timeout whether anybody had seen the question",
      ],
    },
    {
      id: "guarantees.confirmation-never-answered-past",
      says: "A confirmation is never answered from the past.",
      tests: [
        "packages/core/src/testing/asker-contract/asking-again.ts > a set with a confirm in it is never answered from the past, but shows the earlier answer",
      ],
    },
  ],
  explained: [
    {
      because: "advice",
      says: [
        "The tests under `tests/faults` run the built command as real processes, kill them, fill their disk and turn their clock.",
        "`pnpm test` runs all of them, the random ones in few rounds; `pnpm test:faults` runs them eight times as long (200 kills of the hub instead of 25).",
        "Each random test prints its seed:",
        "The seed repeats what is killed, after which event, and which byte is damaged; how the processes then run beside each other is the machine's affair.",
      ],
    },
  ],
};
