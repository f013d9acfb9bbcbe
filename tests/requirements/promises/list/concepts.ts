import type { PromisedPage } from "../promise.ts";

export const conceptsPage: PromisedPage = {
  page: "docs/concepts.md",
  promises: [
    {
      id: "concepts.session-call-agent-1",
      says: "session | one call of an agent: 1 to 10 questions that are answered together",
      tests: [
        "tests/requirements/list/input.ts > ten questions of 1,000 characters, a title of 100 and the longest timeout are taken",
        "tests/requirements/list/input.ts > $what: refused with the contract's error result, and nothing is asked",
        "packages/core/src/testing/desk-contract/settling.ts > an invalid answer is refused with a sentence for each question and leaves the session open",
      ],
    },
    {
      id: "concepts.asker-asks-client-version",
      says: "asker | who asks: client and version, project folder, git branch, agent id. Also the port through which it asks",
      tests: [
        "tests/requirements/list/answers.ts > the person sees which client asks, and in which project",
        "apps/mcp-stdio/test/identity.test.ts > the project is the one named, else the client's first folder, else where the server was started",
        "apps/mcp-stdio/test/identity.test.ts > the branch is the project's",
        "tests/command/agents.test.ts > what a server asks stands under the agent id of its flag, and in the project of its flag",
      ],
    },
    {
      id: "concepts.desk-port-through-people",
      says: "desk | the port through which people see and settle sessions",
      tests: [
        "packages/core/src/testing/asker-contract/waiting.ts > another token's session cannot be waited for, withdrawn or delivered",
        "packages/wire/test/hostile.test.ts > an asker > reaches no method of a desk",
      ],
    },
    {
      id: "concepts.surface-person-answers-web",
      says: "surface | where a person answers: [`web`](web.md), [`terminal`](terminal.md), [`cli`](command-line.md), [`client`](client-form.md) (the agent's own window), [`api`](api.md)",
      tests: ["packages/core/test/schemas.test.ts > every surface can have produced an outcome, and the asker and the deadline too"],
    },
    {
      id: "concepts.broker-part-implements-both",
      says: "broker | the part that implements both ports over a store",
      tests: [
        "packages/core/test/broker-contract.test.ts > %s > as a desk > $promise.name",
        "packages/wire/test/contract.test.ts > a hub %s > as a desk > $promise.name",
        "packages/core/test/broker-contract.test.ts > %s > as an asker's port > $promise.name",
      ],
    },
    {
      id: "concepts.hub-process-hosts-broker",
      says: "hub | the process that hosts a broker, its store and all ways to it: one for each home folder",
      tests: [
        "apps/hub/test/race.test.ts > one hub for each home > starts exactly once when ten clients come at the same moment, 50 rounds in a row",
        "apps/hub/test/people.test.ts > a hub > serves the page it is given, and lets a browser in whose login only its owner can read",
        "apps/mcp-http/test/mcp-revisions.test.ts > MCP over HTTP > serves revision 2026-07-28 without a session",
      ],
    },
    {
      id: "concepts.dialect-contract-mcp-tool",
      says: "dialect | one contract of an MCP tool, such as [`ask_user`](tools.md)",
      tests: ["packages/mcp/test/schemas.test.ts > the published schemas > every dialect publishes a tool of its own name"],
    },
    {
      id: "concepts.delivery-asker-been-given",
      says: "delivery | that the asker has been given the outcome; a fact of its own, beside the session's state",
      tests: [
        "tests/requirements/list/answers.ts > an outcome counts as delivered once its result is written",
        "packages/core/src/testing/store-contract/listing.ts > calls a settled session undelivered until its outcome, and any reply, has been handed over",
      ],
    },
    {
      id: "concepts.ticket-call-gets-just",
      says: 'ticket | what a call gets just before its client would give it up: "go on waiting with `get_answer`"',
      tests: [
        "tests/requirements/list/calls.ts > each client's call comes back with a ticket before the client gives up",
        "tests/requirements/list/tickets.ts > a call that has to come back brings a ticket in both fields, and the session stays open",
      ],
    },
    {
      id: "concepts.answer-never-lost-disk",
      says: "**An answer is never lost.** It is on disk before the person is told that it was sent, and it waits for its agent.",
      tests: [
        "packages/core/test/broker.test.ts > a store that fails > makes an answer fail, and nobody is told that it was sent",
        "tests/faults/hub-killed.test.ts > a hub that is killed > gives the answer that it had acknowledged to the asker, even when it is killed at that moment",
        "packages/store-sqlite/test/killed.test.ts > has every write that it acknowledged after its process was killed, time and again",
        "packages/core/src/testing/asker-contract/waiting.ts > an answer that came while nobody waited is given to the next equal ask, marked late",
        "packages/core/src/testing/asker-contract/asking-again.ts > undelivered outcomes are told to their own asker until they are delivered",
        "packages/core/src/testing/asker-contract/asking-again.ts > an answer older than 15 minutes is not given to an equal ask",
        "tests/requirements/list/tickets.ts > an answer that came while nobody waited comes along with the next result, once",
        "tests/requirements/list/tickets.ts > get_answer without an id brings what was answered meanwhile, at once",
        "packages/core/test/broker.test.ts > retention > removes what was settled long enough ago in the background of an ask, and tells how many",
      ],
    },
    {
      id: "concepts.silence-never-decision-nothing",
      says: "**Silence is never a decision.** Nothing is preselected, and no default is sent in a person's name.",
      tests: [
        "packages/react/test/answer-form.test.ts > nothing is chosen before the person chooses, and every required question is missing",
        "tests/terminal/answering.test.ts > nothing is chosen before the person chooses, recommended or not",
        "tests/faults/history/check.test.ts > the checker of histories > rejects $fault",
        "tests/faults/killed-in-traffic.test.ts > killed at random points of the traffic, the hub loses no answer, has one winner a session, hands no call an outcome twice and invents none",
      ],
    },
    {
      id: "concepts.every-outcome-says-produced",
      says: "Every outcome says who or what produced it.",
      tests: [
        "packages/core/test/schemas.test.ts > every surface can have produced an outcome, and the asker and the deadline too",
        "packages/core/test/machine.test.ts > a session > times out by its deadline and by nobody",
        "tests/requirements/list/answers.ts > the text is the JSON of exactly the structured content, and tells who answered",
      ],
    },
    {
      id: "concepts.first-answer-wins-everywhere",
      says: "**The first answer wins, everywhere.** Whoever comes second is told what was answered, where and when.",
      tests: [
        "tests/faults/first-answer-wins.test.ts > the first answer wins > of two answers at the same instant, a thousand times: one winner, and the loser is told who it was and where",
        "packages/core/src/testing/desk-contract/settling.ts > of two answers at once the first wins and the other is told who gave it",
      ],
    },
    {
      id: "concepts.agent-ask-but-never",
      says: "**An agent can ask but never answer.** There are two scopes of token, and two ports in the code.",
      tests: [
        "packages/hub/test/access.test.ts > a token > of the scope %s may do what its scope says and no more",
        "packages/hub/test/wire.test.ts > the wire over the hub > refuses a token that is unknown or of the other scope",
        "packages/wire/test/hostile.test.ts > an asker > reaches no method of a desk",
        "apps/askbox/test/answer-and-cancel.test.ts > askbox answer > %s refuses within an agent's shell",
      ],
    },
    {
      id: "concepts.core-knows-transport-clock",
      says: "**The core knows no transport, no clock, no Node and no DOM.** All of that plugs into it.",
      tests: [
        "tests/workspace/rules.test.ts > the rules of the workspace > reject: $rule",
        "tests/published/cases/browser.ts > @askbox/core asks and answers where there is nothing but what every page has",
      ],
    },
    {
      id: "concepts.text-agent-hostile-surface",
      says: "**Text from an agent is hostile.** Each surface cleans it at one boundary.",
      tests: [
        "tests/terminal/hostile.test.ts > control sequences in every field have no effect on title, clipboard, colours or layout ($columns × $rows)",
        "tests/web/answering.test.ts > hostile markdown and hostile names stay text",
        "tests/command/ask-and-answer.test.ts > text from an agent never reaches the terminal raw, wherever it is shown",
        "packages/attention/test/notify.test.ts > the text of a notification > holds no control, escape or bidirectional characters from anywhere",
      ],
    },
    {
      id: "concepts.stdout-stdio-server-carries",
      says: "**stdout of the stdio server carries protocol and nothing else.**",
      tests: ["apps/mcp-stdio/test/stdio-server.test.ts > the stdio server > keeps stdout for the protocol, whoever else writes to it"],
    },
    {
      id: "concepts.guarantees-says-promise-rests",
      says: "[Guarantees](guarantees.md) says what each promise rests on, and which tests hold it.",
      tests: [
        "tests/faults/guarantees.test.ts > docs/guarantees.md > has a test, and something that it rests on, for each promise",
        "tests/faults/guarantees.test.ts > docs/guarantees.md > names a test that exists: $sentence",
      ],
    },
    {
      id: "concepts.session-pending-until-answered",
      says: "A session is pending until it is answered, cancelled or timed out, and then it stays so.",
      tests: [
        "packages/core/test/machine-paths.test.ts > the session machine, walked along every path > takes no event once it is settled",
        "packages/core/test/machine-paths.test.ts > the session machine, walked along every path > reaches each of its four states",
      ],
    },
    {
      id: "concepts.machine-below-whole-picture",
      says: "The machine below is the whole of it; the picture is [drawn from the code](architecture.md#a-questions-way) by walking it, and a test holds it to that.",
      tests: [
        "tests/examples/machine-alone.test.ts > the diagram in %s is the machine as it is; if not, run pnpm machine:diagram",
        "tests/examples/machine-alone.test.ts > the walk reaches every state, and leaves none that is settled",
      ],
    },
    {
      id: "concepts.answered-answer-fits-question",
      says: "**Answered**: each answer fits its question.",
      tests: [
        "packages/core/test/machine-properties.test.ts > any sequence of events > ends, if it ends in an answer, in one that is valid for every question",
      ],
    },
    {
      id: "concepts.does-fit-refused-sentence",
      says: "What does not fit is refused with a sentence, and the session stays pending.",
      tests: [
        "packages/core/src/testing/desk-contract/settling.ts > an invalid answer is refused with a sentence for each question and leaves the session open",
      ],
    },
    {
      id: "concepts.cancelled-person-turned-questions",
      says: "**Cancelled**: a person turned the questions down, with a reason if they like, or the asker withdrew them.",
      tests: [
        "packages/core/test/machine.test.ts > a session > that is cancelled keeps who did it and when, and a reason only where there is one",
        "packages/core/src/testing/asker-contract/waiting.ts > a withdrawn session is cancelled in the asker's name and takes no answer",
      ],
    },
    {
      id: "concepts.timed-deadline-passed",
      says: "**Timed out**: the deadline passed.",
      tests: ["packages/core/src/testing/asker-contract/waiting.ts > a session nobody answers times out at its deadline, and not before"],
    },
  ],
  explained: [
    { because: "advice", says: ["One that was not delivered comes back in one of these ways:"] },
    {
      because: "purpose",
      says: ["question, option, answer | what is asked, what may be picked, what was given; [the types](question-types.md)"],
    },
  ],
};
