import type { PromisedPage } from "../promise.ts";

export const securityPage: PromisedPage = {
  page: "SECURITY.md",
  promises: [
    {
      id: "security.agent-asks-never-answers",
      says: "An agent can ask but never answer: there are two scopes of token and two ports in the code.",
      tests: [
        "packages/hub/test/access.test.ts > a token > of the scope %s may do what its scope says and no more",
        "packages/hub/test/tokens.test.ts > a named token > of the scope asker asks, and its sessions are no other token's",
        "packages/hub/test/tokens.test.ts > a named token > is neither made, listed nor revoked by an asker, by one for metrics, or by nobody",
      ],
    },
    {
      id: "security.client-form-where-allowed",
      says: "A client's own form counts only where you have allowed it.",
      tests: [
        "packages/core/src/testing/asker-contract/forms.ts > an answer from a client's own form is refused unless it was allowed, and changes nothing",
      ],
    },
    {
      id: "security.listens-on-loopback",
      says: "The hub listens on 127.0.0.1 unless you give it names and an address.",
      tests: [
        "packages/home/test/config.test.ts > the settings > have a default each",
        "apps/mcp-http/test/lifecycle.test.ts > the hub's process > serves, tells where in files that only their owner can read, and leaves them fit for the next one",
      ],
    },
    {
      id: "security.requests-take-a-token",
      says: "Every request but those for health, readiness, the interface's description and the page's files takes a token; `Host` and `Origin` are checked on all of them.",
      tests: [
        "packages/hub/test/access.test.ts > a token > is needed for %s %s",
        "packages/hub/test/access.test.ts > the Host and Origin headers > are checked on every route",
        "packages/hub/test/access.test.ts > the Host and Origin headers > are checked before the wire is opened",
        "packages/hub/test/web.test.ts > the page > is checked for Host and Origin like everything else",
      ],
    },
    {
      id: "security.login-two-parts",
      says: "A browser's login is two parts, a cookie and a secret of the page's origin; both are needed.",
      tests: [
        "packages/hub/test/login.test.ts > a browser's login > is worth nothing by halves",
        "packages/hub/test/login.test.ts > a browser's login > is worth nothing by halves at the wire either",
        "packages/hub/test/login.test.ts > a browser's login > is refused to a page on another port of this machine, which its browser sends the cookie too",
        "tests/web/inbox.test.ts > the cookie alone opens nothing, and neither does the secret alone",
      ],
    },
    {
      id: "security.tokens-256-bits",
      says: "Tokens are 256 random bits.",
      tests: [
        "packages/hub/test/access.test.ts > a token > carries 256 random bits and is kept as a hash",
        "packages/hub/test/tokens.test.ts > a named token > is shown once, has 256 random bits, and is listed without them",
      ],
    },
    {
      id: "security.tokens-kept",
      says: "Those with a name are kept as SHA-256; the hub's own two stand in files that only their owner can read.",
      tests: [
        "packages/hub/test/access.test.ts > a token > carries 256 random bits and is kept as a hash",
        "packages/home/test/runtime-files.test.ts > the runtime files > are readable by their owner alone, in a folder that only the owner can enter",
        "packages/home/test/runtime-files.test.ts > the runtime files > lose their tokens when others could have read them",
      ],
    },
    {
      id: "security.agents-text-cleaned",
      says: "Text from agents is cleaned by each surface at one boundary.",
      tests: [
        "tests/web/answering.test.ts > hostile markdown and hostile names stay text",
        "tests/terminal/hostile.test.ts > control sequences in every field have no effect on title, clipboard, colours or layout ($columns × $rows)",
      ],
    },
    {
      id: "security.page-policy",
      says: "The page's policy takes no script but the hub's own.",
      tests: [
        "packages/hub/test/web.test.ts > the page > is served at / to whoever asks, under a policy that takes nothing inline and nothing from elsewhere",
      ],
    },
    {
      id: "security.sessions-on-disk",
      says: "Sessions stand on disk in plain, readable by their owner alone, for 90 days unless the settings say otherwise.",
      tests: [
        "packages/home/test/config.test.ts > the settings > have a default each",
        "apps/mcp-http/test/lifecycle.test.ts > the hub's process > serves, tells where in files that only their owner can read, and leaves them fit for the next one",
        "packages/core/test/broker.test.ts > retention > removes what was settled long enough ago in the background of an ask, and tells how many",
      ],
    },
    {
      id: "security.nothing-leaves",
      says: "Nothing leaves the machine but what you set up, and there is no telemetry.",
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
      because: "advice",
      why: "It names the page that promises more.",
      says: ["[Security](docs/security.md) has the threat model, what holds each claim, and what askbox cannot do."],
    },
    {
      because: "elsewhere",
      says: ["We answer as soon as we have read it; please give us time to fix it before you publish."],
    },
    {
      because: "elsewhere",
      why: "It says which version the maintainers fix, which is nothing that a program does.",
      says: ["Only the latest release is fixed."],
    },
    {
      because: "not promised",
      says: ["The boundary is the operating system's user: a hostile process of the same user can do whatever the person can."],
    },
  ],
};
