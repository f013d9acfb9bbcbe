import type { PromisedPage } from "../promise.ts";

export const indexPage: PromisedPage = {
  page: "docs/index.md",
  promises: [
    {
      id: "index.web-inbox-phone-waits",
      says: "![The web inbox on a phone: what waits](images/list-phone-light.png) ![The web inbox on a phone: the form for one set of questions](images/inbox-phone-light.png)",
      tests: ["tests/docs/build.test.ts > pnpm docs:build > has each picture that its pages show"],
    },
    {
      id: "index.claude-code-codex-opencode",
      says: "Claude Code, Codex, OpenCode, Cursor, VS Code, Gemini CLI, Antigravity, Windsurf, Zed and your own scripts ask into one inbox.",
      tests: [
        "apps/askbox/test/client-docs.test.ts > what the pages say of clients and commands > every client is there, with an entry that its own reader takes",
        "tests/requirements/list/answers.ts > the person sees which client asks, and in which project",
        "tests/command/ask-and-answer.test.ts > askbox in a shell > a question is listed, shown and answered from another process, and the hub starts by itself",
      ],
    },
    {
      id: "index.command-sets-up",
      says: "One command [sets each of them up](clients.md).",
      tests: [
        "tests/clients/install-command.test.ts > askbox install > and uninstall leave everything as it was, and say what they did",
        "packages/clients/test/round-trip.test.ts > %s > gets its entry into a file %s, and out of it again to the byte",
      ],
    },
    {
      id: "index.browser-phone-terminal-shell",
      says: "In a [browser](web.md), on the phone, in a [terminal](terminal.md), from a [shell](command-line.md), [by program](api.md), or in the [agent's own window](client-form.md).",
      tests: [
        "tests/web/answering.test.ts > questions of every type are answered one at a time, reviewed and sent",
        "tests/terminal/answering.test.ts > at $columns × $rows > a set with a question of each type is answered by keys alone, and reviewed before it is sent",
        "apps/askbox/test/answer-and-cancel.test.ts > askbox answer > answers one question by its option's text and says what was answered",
        "packages/hub/test/rest.test.ts > REST > answers a session, and tells whoever comes second what stands",
        "tests/mcp/client-form.test.ts > the client's own form over %s > settles the question of a client of %s, and the inbox knows where",
      ],
    },
    {
      id: "index.first-answer-wins-everywhere",
      says: "The first answer wins everywhere.",
      tests: [
        "tests/faults/first-answer-wins.test.ts > the first answer wins > of two answers at the same instant, a thousand times: one winner, and the loser is told who it was and where",
        "packages/core/src/testing/desk-contract/settling.ts > of two answers at once the first wins and the other is told who gave it",
        "tests/web/real-hub.test.ts > of two terminals and one browser that answer at once one wins, and the others are told who was first",
        "packages/core/src/testing/asker-contract/forms.ts > of a form and a desk the first wins, and the second is told",
      ],
    },
    {
      id: "index.disk-before-told-sent",
      says: "It is on disk before you are told that it was sent, and waits for its agent however the agent, the client, the hub or the network fails.",
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
      id: "index.nothing-chosen-before-choose",
      says: "Nothing is chosen before you choose it, no default is sent in your name, and every outcome says who gave it.",
      tests: [
        "packages/react/test/answer-form.test.ts > nothing is chosen before the person chooses, and every required question is missing",
        "tests/terminal/answering.test.ts > nothing is chosen before the person chooses, recommended or not",
        "tests/faults/history/check.test.ts > the checker of histories > rejects $fault",
        "tests/faults/killed-in-traffic.test.ts > killed at random points of the traffic, the hub loses no answer, has one winner a session, hands no call an outcome twice and invents none",
        "tests/requirements/list/answers.ts > the text is the JSON of exactly the structured content, and tells who answered",
      ],
    },
    {
      id: "index.asking-answering-two-scopes",
      says: "Asking and answering are two scopes of token, and two ports in the code.",
      tests: [
        "packages/hub/test/access.test.ts > a token > of the scope %s may do what its scope says and no more",
        "packages/hub/test/wire.test.ts > the wire over the hub > refuses a token that is unknown or of the other scope",
        "packages/wire/test/hostile.test.ts > an asker > reaches no method of a desk",
      ],
    },
    {
      id: "index.text-agent-taken-hostile",
      says: "Text from an agent is taken for hostile on every surface.",
      tests: [
        "tests/terminal/hostile.test.ts > control sequences in every field have no effect on title, clipboard, colours or layout ($columns × $rows)",
        "tests/web/answering.test.ts > hostile markdown and hostile names stay text",
        "tests/command/ask-and-answer.test.ts > text from an agent never reaches the terminal raw, wherever it is shown",
        "packages/attention/test/notify.test.ts > the text of a notification > holds no control, escape or bidirectional characters from anywhere",
      ],
    },
    {
      id: "index.core-pure-state-machine",
      says: "The core is a pure state machine and a broker over ports.",
      tests: [
        "packages/core/test/machine-properties.test.ts > any sequence of events > is the same however often it is replayed",
        "tests/workspace/rules.test.ts > the rules of the workspace > reject: $rule",
        "packages/core/test/broker-contract.test.ts > %s > as a desk > $promise.name",
      ],
    },
    {
      id: "index.runs-node-host-page",
      says: "It runs in a Node host, in a page, and across a message port.",
      tests: [
        "tests/examples/embedded-host.test.ts > a host asks and answers in its own process, and tells the agent what the person said",
        "tests/examples/browser-only.test.ts > nothing that the page loads is Node's",
        "tests/examples/desk-over-message-port.test.ts > a host's windows over message ports > $contractCase.name",
      ],
    },
    {
      id: "index.askbox-runs-machine-alone",
      says: "askbox runs on your machine, for you alone unless you say otherwise.",
      tests: [
        "packages/home/test/config.test.ts > the settings > have a default each",
        "packages/home/test/runtime-files.test.ts > the runtime files > are readable by their owner alone, in a folder that only the owner can enter",
      ],
    },
    {
      id: "index.account-cloud-telemetry",
      says: "It has no account, no cloud and no telemetry.",
      tests: ["tests/command/nobody-else.test.ts > askbox speaks to nobody but its hub, whatever is asked, answered, examined or set up"],
    },
  ],
  explained: [
    {
      because: "advice",
      says: [
        "[What holds that](guarantees.md).",
        "[The laws](concepts.md#laws).",
        "[Security](security.md).",
        "[Embed it](embedding.md).",
        "From a clone, with Node 20 or newer:",
      ],
    },
  ],
};
