import type { PromisedPage } from "../promise.ts";

export const conceptsWaitingPage: PromisedPage = {
  page: "docs/concepts.md",
  promises: [
    {
      id: "concepts.question-waits-5-minutes",
      says: "A question waits 5 minutes unless its ask says otherwise (10 s to 30 min).",
      tests: [
        "packages/home/test/config.test.ts > the settings > have a default each",
        "tests/requirements/list/input.ts > ten questions of 1,000 characters, a title of 100 and the longest timeout are taken",
        "apps/mcp-stdio/test/stdio-server.test.ts > the stdio server > takes the default timeout from the flag, else from the environment",
        "packages/core/test/parse-ask.test.ts > reading an ask > refuses %s with one sentence",
      ],
    },
    {
      id: "concepts.person-give-time-take",
      says: "A person can give it more time, or take the deadline away.",
      tests: [
        "tests/terminal/answering.test.ts > more time moves the deadline or takes it away",
        "tests/web/answering.test.ts > more time is given in the open question",
        "packages/core/test/broker/desk.test.ts > a desk that gives more time > gives from a second to a day, or all the time there is",
      ],
    },
    {
      id: "concepts.half-typed-answers-hold",
      says: "Half-typed answers hold the deadline for a while.",
      tests: [
        "tests/faults/deadlines.test.ts > a deadline > waits for a person who is typing, and takes the answer after it has passed",
        "packages/core/src/testing/desk-contract/deadlines.ts > typing holds the deadline for a while, but not for ever",
      ],
    },
    {
      id: "concepts.session-timed-still-takes",
      says: "A session that timed out still takes a *reply*, which the agent gets with its next result; the timeout stands.",
      tests: [
        "packages/core/src/testing/desk-contract/deadlines.ts > a reply is taken after a timeout alone, and once",
        "packages/core/src/testing/asker-contract/asking-again.ts > a reply after the deadline is told as an earlier outcome, once delivered no more",
        "tests/faults/deadlines.test.ts > a deadline > waits for a person who is typing, and takes the answer after it has passed",
      ],
    },
    {
      id: "concepts.outcome-counts-delivered-result",
      says: "An outcome counts as delivered when the result was written while the call still stood and its client had not given up on it.",
      tests: [
        "packages/mcp/test/failures.test.ts > what an agent is told when askbox cannot do its part > a result written after the client's limit does not count as delivered",
        "packages/mcp/test/failures.test.ts > what an agent is told when askbox cannot do its part > an outcome whose call is cancelled before it is written goes to the next call at once",
        "tests/requirements/list/answers.ts > an outcome counts as delivered once its result is written",
      ],
    },
    {
      id: "concepts.late-agent-asks-same",
      says: "`late` | the agent asks the same again within 15 minutes of the answer: it gets the answer at once, with `late: true`",
      tests: [
        "packages/core/src/testing/asker-contract/waiting.ts > an answer that came while nobody waited is given to the next equal ask, marked late",
        "packages/core/src/testing/asker-contract/asking-again.ts > an answer older than 15 minutes is not given to an equal ask",
        "tests/requirements/list/calls.ts > an answer to a cancelled call is given to the same ask at once, marked late",
      ],
    },
    {
      id: "concepts.earlier-agent-asks-anything",
      says: "`earlier[]` | the agent asks anything else: the outcome comes along with that result",
      tests: ["tests/requirements/list/tickets.ts > an answer that came while nobody waited comes along with the next result, once"],
    },
    {
      id: "concepts.get-answer-agent-asks",
      says: "`get_answer` | the agent asks for it, by id or without one",
      tests: [
        "tests/requirements/list/tickets.ts > get_answer goes on waiting for its session and brings the answer",
        "tests/requirements/list/tickets.ts > get_answer without an id brings what was answered meanwhile, at once",
      ],
    },
    {
      id: "concepts.joining-question-still-pending",
      says: "joining | the question is still pending when the agent asks the same again: the call goes on with that session",
      tests: [
        "tests/requirements/list/calls.ts > a cancelled call leaves its questions open, and asking again joins them",
        "packages/core/src/testing/asker-contract/asking-again.ts > the same ask joins the session whose asker has left, and moves its deadline",
      ],
    },
    {
      id: "concepts.set-yes-question-never",
      says: "A set with a yes-or-no question in it is never answered from the past: it opens again, and shows the person the earlier answer, to be repeated by one key, button or line.",
      tests: [
        "packages/core/src/testing/asker-contract/asking-again.ts > a set with a confirm in it is never answered from the past, but shows the earlier answer",
        "tests/terminal/documented-keys.test.ts > e answers as before where a yes or no is asked again, and nothing does so by itself",
        "tests/web/documented-keys.test.ts > where a yes or no is asked again, the answer of before is shown, and repeated by a button alone",
        "apps/askbox/test/wait-and-extend.test.ts > askbox show > offers the answer that the same question got before, with the line that repeats it",
      ],
    },
    {
      id: "concepts.just-before-call-comes",
      says: "Just before that, the call comes back with `pending: true` and a `sessionId`, and tells the agent to call `get_answer`, which goes on waiting.",
      tests: [
        "tests/requirements/list/calls.ts > each client's call comes back with a ticket before the client gives up",
        "tests/requirements/list/tickets.ts > a call that has to come back brings a ticket in both fields, and the session stays open",
        "tests/requirements/list/tickets.ts > get_answer goes on waiting for its session and brings the answer",
      ],
    },
    {
      id: "concepts.person-sees-nothing-question",
      says: "The person sees nothing of it: the question stays where it is.",
      tests: [
        "tests/requirements/list/tickets.ts > a call that has to come back brings a ticket in both fields, and the session stays open",
      ],
    },
    {
      id: "concepts.client-cancels-call-cuts",
      says: "When a client cancels a call, cuts its connection or dies, the question stays.",
      tests: [
        "tests/requirements/list/calls.ts > a cancelled call leaves its questions open, and asking again joins them",
        "tests/requirements/list/calls.ts > a client that goes away leaves its questions open, and its answer waits for the next connection",
        "tests/faults/agent-gone.test.ts > an agent's server that is ended in mid-question by $name > leaves no process behind and is shown away; its answers go to the next ask, and to get_answer",
      ],
    },
    {
      id: "concepts.inbox-shows-agent-left",
      says: "The inbox shows that the agent has left, and an answer waits for it.",
      tests: [
        "packages/react/test/inbox.test.ts > an agent that has been away for over two minutes has left",
        "tests/faults/agent-gone.test.ts > an agent's server that is ended in mid-question by $name > leaves no process behind and is shown away; its answers go to the next ask, and to get_answer",
      ],
    },
    {
      id: "concepts.cancel-withdraw-askbox-mcp",
      says: "`--on-cancel withdraw` of `askbox mcp` takes the question back instead.",
      tests: ["tests/requirements/list/calls.ts > under on-cancel withdraw a cancelled call takes its questions back"],
    },
    {
      id: "concepts.somebody-begun-type-kept",
      says: "What somebody has begun to type is kept by the hub as they type, and shown on their other devices.",
      tests: [
        "packages/react/test/answer-form.test.ts > drafts are saved 300 ms after a key and restored on another device",
        "tests/web/robustness.test.ts > a draft follows the person to another device, live",
        "tests/terminal/surfaces.test.ts > a draft is there in another terminal after the first was killed",
      ],
    },
    {
      id: "concepts.goes-session-settled",
      says: "It goes when the session is settled.",
      tests: [
        "packages/core/src/testing/desk-contract/deadlines.ts > a draft keeps the last write to each field and is erased when the session settles",
      ],
    },
  ],
  explained: [
    {
      because: "elsewhere",
      says: ["Clients give up on a call that takes long, each after [its own time](clients.md#how-long-a-client-waits)."],
    },
    {
      because: "purpose",
      says: ["An answer may come when its agent is not there any more.", 'So "answered" and "the agent has it" are two facts.'],
    },
  ],
};
