import type { PromisedPage } from "../promise.ts";

export const securityModelPage: PromisedPage = {
  page: "docs/security.md",
  promises: [
    {
      id: "security.answer-person-s-agent",
      says: "**That an answer is a person's.** No agent answers, and no silence, default or timeout is taken for an answer.",
      tests: [
        "packages/wire/test/hostile.test.ts > an asker > reaches no method of a desk",
        "packages/hub/test/access.test.ts > a token > of the scope %s may do what its scope says and no more",
        "packages/core/test/machine.test.ts > a session > times out by its deadline and by nobody",
        "packages/core/src/testing/asker-contract/forms.ts > an answer from a client's own form is refused unless it was allowed, and changes nothing",
        "tests/terminal/answering.test.ts > nothing is chosen before the person chooses, recommended or not",
      ],
    },
    {
      id: "security.person-s-terminal-browser",
      says: "**The person's terminal and browser**, from the text that agents send.",
      tests: [
        "packages/terminal-text/test/terminal-text.test.ts > text from elsewhere on its way to a terminal > nothing that a terminal obeys comes through, whatever the text, and cleaning twice changes nothing more",
        "tests/web/answering.test.ts > hostile markdown and hostile names stay text",
      ],
    },
    {
      id: "security.agent-whoever-asker-s",
      says: "an agent, or whoever has an asker's token | ask, wait for its own sessions and withdraw them, within the limits | list, read what others asked, answer, register agents, make tokens",
      tests: [
        "packages/hub/test/access.test.ts > a token > of the scope %s may do what its scope says and no more",
        "packages/hub/test/access.test.ts > a token > of the scope %s neither watches nor says which agents are known",
        "packages/hub/test/tokens.test.ts > a named token > of the scope asker asks, and its sessions are no other token's",
        "packages/hub/test/tokens.test.ts > a named token > is neither made, listed nor revoked by an asker, by one for metrics, or by nobody",
        "packages/hub/test/agents.test.ts > REST for agents > is not for tokens that may only ask, nor for strangers",
        "packages/core/src/testing/asker-contract/waiting.ts > another token's session cannot be waited for, withdrawn or delivered",
        "packages/hub/test/limits.test.ts > the number of asks > is limited in any minute, for each token and agent id",
      ],
    },
    {
      id: "security.whoever-writes-question-s",
      says: "whoever writes a question's text: an agent, or a page that it has read | show text and simple markdown | run script, load a picture, send escape codes to a terminal, preselect an answer",
      tests: [
        "tests/web/answering.test.ts > hostile markdown and hostile names stay text",
        "tests/terminal/hostile.test.ts > control sequences in every field have no effect on title, clipboard, colours or layout ($columns × $rows)",
        "tests/terminal/long-text.test.ts > markdown reads well and code is coloured",
        "packages/hub/test/web.test.ts > the page > is served at / to whoever asks, under a policy that takes nothing inline and nothing from elsewhere",
        "tests/terminal/answering.test.ts > nothing is chosen before the person chooses, recommended or not",
        "tests/web/typed-answers.test.ts > nothing is filled in, limits are told, and what is wrong is said once a field was left",
      ],
    },
    {
      id: "security.page-person-s-browser",
      says: "a page in the person's browser, on any origin, this machine's other ports included | send requests to the hub's port | have them answered, or use the person's login",
      tests: [
        "packages/hub/test/access.test.ts > the Host and Origin headers > are checked on every route",
        "packages/hub/test/access.test.ts > the Host and Origin headers > are checked before the wire is opened",
        "packages/hub/test/login.test.ts > a browser's login > is refused to a page on another port of this machine, which its browser sends the cookie too",
        "tests/web/other-pages.test.ts > a page on another port of this machine, in a browser that is logged in > is sent the cookie by the browser, and can do nothing with it",
      ],
    },
    {
      id: "security.another-user-machine-reach",
      says: "another user of the machine | reach the hub's port on loopback, see `/healthz`, `/openapi.json` and the page without its data | read a token, a question or an answer",
      tests: [
        "packages/hub/test/access.test.ts > a token > is needed for %s %s",
        "packages/hub/test/access.test.ts > the hub's health > is open to all and proves who it is to one who knows the secret",
        "packages/hub/test/openapi.test.ts > describes REST to anybody, by routes that exist and the schemas that they check with",
        "packages/hub/test/web.test.ts > the page > is served at / to whoever asks, under a policy that takes nothing inline and nothing from elsewhere",
        "tests/command/files.test.ts > everything that askbox keeps is readable by its owner alone",
      ],
    },
    {
      id: "security.another-program-hub-s",
      says: "another program on the hub's port, when the hub is gone | answer in its place | be shown a token",
      tests: [
        "apps/hub/test/connect.test.ts > the way to the hub > shows no token to a stranger on the hub's port, and starts a hub elsewhere",
        "apps/hub/test/tls.test.ts > a hub with a certificate > is shown no token when another certificate answers in its place",
      ],
    },
    {
      id: "security.network-where-hub-loopback",
      says: "the network, where the hub is not on loopback | see that it is there; without TLS, read and change everything | with TLS, read or change anything",
      tests: [
        "apps/hub/test/tls.test.ts > a hub beyond loopback > says in one sentence what plain HTTP shows, and what helps",
        "apps/hub/test/tls.test.ts > a hub with a certificate > serves over TLS, says so in hub.json, and its own clients need nothing to trust it",
      ],
    },
    {
      id: "security.receiver-webhooks-read-sent",
      says: "a receiver of webhooks | read what it is sent, and verify who sent it | answer",
      tests: [
        "packages/webhooks/test/webhooks.test.ts > a webhook > is signed with %s as Standard Webhooks has it, so that its own library verifies it",
        "packages/webhooks/test/webhooks.test.ts > a webhook > never follows a redirect",
        "packages/hub/test/access.test.ts > a token > is needed for %s %s",
      ],
    },
    {
      id: "security.hold-agent-shell-person",
      says: "**Hold an agent with a shell of the person.** `askbox answer` and its like refuse where they know an agent's shell by its environment.",
      tests: [
        "apps/askbox/test/answer-and-cancel.test.ts > askbox answer > %s refuses within an agent's shell",
        "tests/command/open.test.ts > askbox open --print > is refused in an agent's shell, since whoever has the link can answer",
        "tests/command/tokens.test.ts > askbox token > makes nothing in an agent's shell, since that could answer with it",
        "packages/home/test/environment.test.ts > a known agent > by %j is %s",
      ],
    },
    {
      id: "security.keeps-honest-agent-mistake",
      says: "That keeps an honest agent from a mistake; it is no wall.",
      tests: ["apps/askbox/test/answer-and-cancel.test.ts > askbox answer > %s refuses within an agent's shell"],
    },
    {
      id: "security.tell-whether-client-s",
      says: "**Tell whether a client's own form was filled in by a person.** That is why it [does not count](client-form.md#allow-it) unless you allow it.",
      tests: [
        "packages/core/src/testing/asker-contract/forms.ts > an answer from a client's own form is refused unless it was allowed, and changes nothing",
        "tests/mcp/client-form.test.ts > a hub takes answers from clients' forms once its person has said so in its config, and not before",
        "packages/home/test/config.test.ts > the settings > do not let the environment allow agents to answer",
      ],
    },
    {
      id: "security.hide-questions-disk-sessions",
      says: "**Hide questions on disk.** Sessions are stored in plain, readable by their owner alone, for 90 days unless [`retention`](configuration.md) says otherwise.",
      tests: [
        "tests/command/files.test.ts > everything that askbox keeps is readable by its owner alone",
        "packages/home/test/config.test.ts > the settings > have a default each",
        "packages/core/test/broker.test.ts > retention > removes what was settled long enough ago in the background of an ask, and tells how many",
      ],
    },
    {
      id: "security.works-once-whoever-quicker",
      says: "It works once: whoever is quicker logs in, and the person is told that the link was used.",
      tests: [
        "packages/hub/test/login.test.ts > a login link > works once",
        "tests/web/inbox.test.ts > a login link works once and leaves no trace in the address; a wrong one never works",
      ],
    },
    {
      id: "security.askbox-open-print-shows",
      says: "`askbox open --print` shows it in the terminal only.",
      tests: [
        "tests/command/open.test.ts > askbox open --print > prints nothing but the link, whose login survives a restart of the hub in a file of its owner alone",
      ],
    },
    {
      id: "security.inbox-shows-who-asks",
      says: "The inbox shows who asks, from which client, project and branch; all but a token's name and agent id is the agent's own word.",
      tests: [
        "tests/web/inbox.test.ts > questions are grouped by project, counted in the title, and found by search",
        "tests/requirements/list/answers.ts > the person sees which client asks, and in which project",
        "packages/hub/test/tokens.test.ts > a named token > given to an agent asks in that agent's name, whatever the agent says of itself",
      ],
    },
  ],
  explained: [
    {
      because: "purpose",
      says: [
        "What is protected, from whom and how, and what is not.",
        "**What is written** in questions and answers, and who asked.",
        "The operating system's user is the boundary.",
      ],
    },
    {
      because: "advice",
      says: [
        "A claim here names the tests that hold it, as in [Guarantees](guarantees.md).",
        "To report a vulnerability, see [there](../SECURITY.md).",
        "Run agents that you do not trust as another user, in a container or in a virtual machine, and give them a token of scope `asker` [over HTTP](http.md).",
      ],
    },
    {
      because: "not promised",
      why: "It says what no program can keep from its own user's processes.",
      says: [
        "**a process of the same user** | **whatever the person can** | –",
        "**Contain a hostile process of the same user.** It can read the tokens in `hub.json` and `desk.json`, the store, and the memory of other processes; it can type in the person's terminal.",
        "**Keep a login link from being seen for a moment.** `askbox open` hands it to the system's opener as an argument, which other users may read in the list of processes.",
        "**Judge what is asked.** A question can be misleading.",
      ],
    },
  ],
};
