import type { PromisedPage } from "../promise.ts";

export const securityPage: PromisedPage = {
  page: "SECURITY.md",
  promises: [
    {
      id: "security.agent-script-token-ask",
      says: "an agent, or a script with its token | ask, wait for and withdraw its own sessions | answer, see others' sessions, mint tokens",
      tests: [
        "packages/hub/test/access.test.ts > a token > of the scope %s may do what its scope says and no more",
        "packages/hub/test/tokens.test.ts > a named token > of the scope asker asks, and its sessions are no other token's",
        "packages/hub/test/tokens.test.ts > a named token > is neither made, listed nor revoked by an asker, by one for metrics, or by nobody",
        "packages/core/src/testing/asker-contract/forms.ts > an answer from a client's own form is refused unless it was allowed, and changes nothing",
      ],
    },
    {
      id: "security.another-user-machine-connect",
      says: "another user of the machine | connect to the loopback port | do anything without a token: files are readable by their owner only",
      tests: [
        "packages/hub/test/access.test.ts > a token > is needed for %s %s",
        "packages/home/test/runtime-files.test.ts > the runtime files > are readable by their owner alone, in a folder that only the owner can enter",
        "apps/mcp-http/test/lifecycle.test.ts > the hub's process > serves, tells where in files that only their owner can read, and leaves them fit for the next one",
      ],
    },
    {
      id: "security.web-page-person-s",
      says: "a web page in the person's browser | send requests to the port | be heard: `Host` and `Origin` are checked, cookies are `SameSite` and `HttpOnly`",
      tests: [
        "packages/hub/test/access.test.ts > the Host and Origin headers > are checked on every route",
        "packages/hub/test/access.test.ts > the Host and Origin headers > are checked before the wire is opened",
        "packages/hub/test/login.test.ts > a browser's login > is a cookie that no script and no other site can use, and a secret",
        "packages/hub/test/login.test.ts > a browser's login > is refused to a page on another port of this machine, which its browser sends the cookie too",
        "tests/web/other-pages.test.ts > a page on another port of this machine, in a browser that is logged in > is sent the cookie by the browser, and can do nothing with it",
      ],
    },
    {
      id: "security.whoever-writes-question-s",
      says: "whoever writes a question's text | show basic markdown | run script, load a picture, draw escape codes in a terminal, preselect an answer",
      tests: [
        "tests/web/answering.test.ts > hostile markdown and hostile names stay text",
        "packages/hub/test/web.test.ts > the page > is served at / to whoever asks, under a policy that takes nothing inline and nothing from elsewhere",
        "tests/terminal/hostile.test.ts > control sequences in every field have no effect on title, clipboard, colours or layout ($columns × $rows)",
        "tests/terminal/answering.test.ts > nothing is chosen before the person chooses, recommended or not",
      ],
    },
    {
      id: "security.webhook-s-receiver-read",
      says: "a webhook's receiver | read what it is sent, verify its signature | answer, without a token that may",
      tests: [
        "packages/webhooks/test/webhooks.test.ts > a webhook > is signed with %s as Standard Webhooks has it, so that its own library verifies it",
        "packages/hub/test/access.test.ts > a token > is needed for %s %s",
      ],
    },
    {
      id: "security.network-where-hub-loopback",
      says: "the network, where the hub is not on loopback | – with TLS | read or change: without TLS the hub warns, so put it behind a proxy",
      tests: [
        "apps/mcp-http/test/tls.test.ts > a hub beyond loopback > says in one sentence what plain HTTP shows, and what helps",
        "apps/mcp-http/test/tls.test.ts > a hub with a certificate > serves over TLS, says so in hub.json, and its own clients need nothing to trust it",
      ],
    },
    {
      id: "security.tokens-256-random-bits",
      says: "Tokens are 256 random bits and stored as SHA-256; none is ever in a URL or a log.",
      tests: [
        "packages/hub/test/access.test.ts > a token > carries 256 random bits and is kept as a hash",
        "packages/hub/test/tokens.test.ts > a named token > is shown once, has 256 random bits, and is listed without them",
        "packages/hub/test/login.test.ts > a login link > keeps its code out of every request line: what a browser sends of it is the page's address",
        "packages/hub/test/login.test.ts > the devices > and their codes, cookies and secrets are never logged",
        "packages/hub/test/access.test.ts > a token > is never logged",
        "apps/mcp-http/test/lifecycle.test.ts > the hub's process > keeps tokens out of its log",
        "packages/home/test/logger.test.ts > the logger > redacts what is a secret or is named like one, at every depth",
      ],
    },
    {
      id: "security.browser-s-login-cookie",
      says: "A browser's login is a cookie and a secret of the page's own origin, and neither is worth anything alone.",
      tests: [
        "packages/hub/test/login.test.ts > a browser's login > is worth nothing by halves",
        "packages/hub/test/login.test.ts > a browser's login > is worth nothing by halves at the wire either",
        "tests/web/inbox.test.ts > the cookie alone opens nothing, and neither does the secret alone",
      ],
    },
    {
      id: "security.page-runs-no-inline",
      says: "The page runs no inline script, and a question's markdown holds no HTML.",
      tests: [
        "packages/hub/test/web.test.ts > the page > is served at / to whoever asks, under a policy that takes nothing inline and nothing from elsewhere",
        "tests/web/answering.test.ts > hostile markdown and hostile names stay text",
      ],
    },
    {
      id: "security.clients-check-hub-answers",
      says: "Clients check that it is the hub that answers on its port before they show it a token.",
      tests: [
        "apps/mcp-http/test/connect.test.ts > the way to the hub > shows no token to a stranger on the hub's port, and starts a hub elsewhere",
        "apps/mcp-http/test/tls.test.ts > a hub with a certificate > is shown no token when another certificate answers in its place",
        "packages/hub/test/access.test.ts > the hub's health > is open to all and proves who it is to one who knows the secret",
      ],
    },
    {
      id: "security.sessions-stand-data-folder",
      says: "Sessions stand in the data folder in plain, for 90 days unless the config says otherwise.",
      tests: [
        "packages/home/test/config.test.ts > the settings > have a default each",
        "packages/core/test/broker.test.ts > retention > removes what was settled long enough ago in the background of an ask, and tells how many",
      ],
    },
    {
      id: "security.askbox-sends-nothing-anywhere",
      says: "askbox sends nothing anywhere but to the hub, and to the webhooks that you set up.",
      tests: [
        "tests/command/nobody-else.test.ts > askbox speaks to nobody but its hub, whatever is asked, answered, examined or set up",
        "tests/command/webhooks.test.ts > a hub tells its config's webhooks of a question and its answer, signed by a secret in a file, and status says how they do",
      ],
    },
  ],
  explained: [
    {
      because: "advice",
      says: [
        "Use **Security → Report a vulnerability** of this repository (a private advisory), not an issue.",
        "Say what an attacker needs and what they gain, with the version (`askbox --version`) and the steps.",
      ],
    },
    {
      because: "elsewhere",
      says: ["We answer as soon as we have read it; please give us time to mend it before you publish."],
    },
    {
      because: "elsewhere",
      why: "It says which version the maintainers mend, which is nothing that a program does.",
      says: ["Only the latest release is mended."],
    },
    {
      because: "purpose",
      why: "It names what is protected; the rows below promise it.",
      says: ["The answers of a person, and that they are theirs: an agent must not answer, or pass silence for a decision."],
    },
    {
      because: "purpose",
      says: ["And what is written in questions and answers."],
    },
    {
      because: "not promised",
      says: ["a program of the same user that reads `hub.json` | whatever the user can | – (the operating system's user is the boundary)"],
    },
    {
      because: "not promised",
      why: "It says what is not defended; that the command refuses in an agent's shell is promised in docs/commands.md.",
      says: [
        "What is *not* defended: a program that runs as the person and types for them; an agent with a shell of that person that is told to answer (`askbox answer` refuses where it knows an agent's shell, which is a help and not a wall); the client's own form, which is off by default because the client could fill it in.",
      ],
    },
  ],
};
