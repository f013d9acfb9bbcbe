import type { PromisedPage } from "../promise.ts";

export const securityAccessPage: PromisedPage = {
  page: "docs/security.md",
  promises: [
    {
      id: "security.each-token-256-random",
      says: "Each token is 256 random bits.",
      tests: [
        "packages/hub/test/access.test.ts > a token > carries 256 random bits and is kept as a hash",
        "packages/hub/test/tokens.test.ts > a named token > is shown once, has 256 random bits, and is listed without them",
      ],
    },
    {
      id: "security.three-scopes-asker-desk",
      says: "There are three scopes: `asker`, `desk` and `metrics`.",
      tests: [
        "packages/hub/test/access.test.ts > a token > of the scope %s may do what its scope says and no more",
        "packages/hub/test/tokens.test.ts > a named token > is not made of %j",
      ],
    },
    {
      id: "security.none-includes-another-except",
      says: "None includes another, except that `desk` may read the figures too.",
      tests: [
        "packages/hub/test/access.test.ts > a token > of the scope %s may do what its scope says and no more",
        "apps/hub/test/metrics.test.ts > a hub's /metrics > tells a desk and a token for metrics, and no asker, what was asked and how long it took",
      ],
    },
    {
      id: "security.hub-s-own-two",
      says: "The hub's own two tokens stand in `hub.json` (asker) and `desk.json` (desk), readable by their owner alone: mode 0600 in a folder of mode 0700, or an access list of the one user on Windows.",
      tests: [
        "packages/home/test/runtime-files.test.ts > the runtime files > are readable by their owner alone, in a folder that only the owner can enter",
        "apps/hub/test/lifecycle.test.ts > the hub's process > serves, tells where in files that only their owner can read, and leaves them fit for the next one",
      ],
    },
    {
      id: "security.tokens-file-others-could",
      says: "Tokens from a file that others could have read are not used again.",
      tests: ["packages/home/test/runtime-files.test.ts > the runtime files > lose their tokens when others could have read them"],
    },
    {
      id: "security.mcp-server-stdio-never",
      says: "An MCP server on stdio never opens `desk.json`.",
      tests: ["apps/hub/test/connect.test.ts > the way to the hub > never opens desk.json for an asker"],
    },
    {
      id: "security.tokens-name-both-halves",
      says: "Tokens with a name, and both halves of a browser's login, are kept as SHA-256 only, and shown once.",
      tests: [
        "packages/hub/test/tokens.test.ts > a named token > is shown once, has 256 random bits, and is listed without them",
        "packages/hub/test/tokens.test.ts > a list of tokens > outlives the hub as hashes, and leaves out what cannot be read",
        "packages/hub/test/login.test.ts > the devices > outlive the hub as hashes",
        "tests/command/tokens.test.ts > askbox token > makes a token for an agent elsewhere, which asks until it is revoked, and not a moment longer",
      ],
    },
    {
      id: "security.they-compared-constant-time",
      says: "They are compared in constant time, and stand in no URL and no log.",
      tests: [
        "packages/hub/test/constant-time.test.ts > what somebody shows to be let in is compared in constant time > with every token of the hub's own",
        "packages/hub/test/constant-time.test.ts > what somebody shows to be let in is compared in constant time > with every named token",
        "packages/hub/test/constant-time.test.ts > what somebody shows to be let in is compared in constant time > with both halves of every browser's login",
        "packages/hub/test/access.test.ts > a token > is needed for %s %s",
        "packages/hub/test/access.test.ts > a token > is never logged",
        "apps/hub/test/lifecycle.test.ts > the hub's process > keeps tokens out of its log",
        "packages/home/test/logger.test.ts > the logger > redacts what is a secret or is named like one, at every depth",
      ],
    },
    {
      id: "security.one-revoked-expires-ends",
      says: "One that is revoked or expires ends what runs with it: polls, streams, sockets, browsers that it let in.",
      tests: [
        "packages/hub/test/tokens.test.ts > a token that is revoked > ends a desk's long poll, an asker's long poll and both their sockets at once",
        "packages/hub/test/tokens.test.ts > a token that is revoked > ends the event streams that watch with it",
        "packages/hub/test/tokens.test.ts > a token that expires > ends what runs with it",
        "packages/hub/test/login.test.ts > the devices > that a named token let in are logged out with it, when it is revoked or expires",
      ],
    },
    {
      id: "security.before-client-shows-token",
      says: "Before a client shows its token, the hub proves by an HMAC over a nonce that it knows it; over TLS, by its certificate's fingerprint in `hub.json`.",
      tests: [
        "apps/hub/test/connect.test.ts > the way to the hub > shows no token to a stranger on the hub's port, and starts a hub elsewhere",
        "packages/hub/test/access.test.ts > the hub's health > is open to all and proves who it is to one who knows the secret",
        "apps/hub/test/tls.test.ts > a hub with a certificate > is shown no token when another certificate answers in its place",
      ],
    },
    {
      id: "security.login-link-holds-one",
      says: "A login link holds a one-time code of 128 random bits, behind the `#` of the address, so that no request line and no log has it.",
      tests: [
        "packages/hub/test/login.test.ts > a login link > is given to a desk's token, and to no asker, no browser and no stranger",
        "packages/hub/test/login.test.ts > a login link > keeps its code out of every request line: what a browser sends of it is the page's address",
        "packages/hub/test/login.test.ts > the devices > and their codes, cookies and secrets are never logged",
      ],
    },
    {
      id: "security.works-10-minutes-once",
      says: "It works for 10 minutes, once; an address has 20 attempts a minute.",
      tests: [
        "packages/hub/test/login.test.ts > a login link > works for 10 minutes",
        "packages/hub/test/login.test.ts > a login link > works once",
        "packages/hub/test/login.test.ts > a login link > cannot be guessed at: an address has 20 attempts a minute",
      ],
    },
    {
      id: "security.page-swaps-two-parts",
      says: "The page swaps it for **two parts, both of which each request needs**:",
      tests: [
        "packages/hub/test/login.test.ts > a browser's login > is worth nothing by halves",
        "packages/hub/test/login.test.ts > a browser's login > is worth nothing by halves at the wire either",
        "tests/web/inbox.test.ts > the cookie alone opens nothing, and neither does the secret alone",
      ],
    },
    {
      id: "security.cookie-httponly-samesite-strict",
      says: "a cookie, `HttpOnly` and `SameSite=Strict`, and `Secure` where the page came over TLS;",
      tests: [
        "packages/hub/test/login.test.ts > a browser's login > is a cookie that no script and no other site can use, and a secret",
        "packages/hub/test/login.test.ts > a browser's login > goes over TLS alone where the page came over it",
      ],
    },
    {
      id: "security.secret-storage-page-s",
      says: "a secret in the storage of the page's own origin, sent in the `Authorization` header, or in the first message of the wire.",
      tests: [
        "packages/hub/test/login.test.ts > a browser's login > is a cookie that no script and no other site can use, and a secret",
        "packages/hub/test/login.test.ts > a browser's login > is worth nothing by halves at the wire either",
        "tests/web/inbox.test.ts > the cookie alone opens nothing, and neither does the secret alone",
      ],
    },
    {
      id: "security.cookies-ignore-ports-so",
      says: "Cookies ignore ports, so every page that another program of this machine serves on 127.0.0.1 is sent the cookie.",
      tests: [
        "tests/web/other-pages.test.ts > a page on another port of this machine, in a browser that is logged in > is sent the cookie by the browser, and can do nothing with it",
      ],
    },
    {
      id: "security.secret-does-get",
      says: "The secret it does not get.",
      tests: [
        "tests/web/other-pages.test.ts > a page on another port of this machine, in a browser that is logged in > is sent the cookie by the browser, and can do nothing with it",
      ],
    },
    {
      id: "security.browser-can-neither-ask",
      says: "A browser can neither ask nor let another browser in.",
      tests: [
        "packages/hub/test/login.test.ts > a browser's login > may not ask",
        "packages/hub/test/login.test.ts > a login link > is given to a desk's token, and to no asker, no browser and no stranger",
      ],
    },
    {
      id: "security.login-ends-logging-out",
      says: "A login ends by logging out, by being revoked under Settings, after 90 days of disuse, and with the named token that let it in.",
      tests: [
        "packages/hub/test/login.test.ts > the devices > can log themselves out",
        "packages/hub/test/login.test.ts > the devices > that are revoked lose their connections at once and come in no more",
        "packages/hub/test/login.test.ts > the devices > are logged out after 90 days of disuse, and not while they are connected",
        "packages/hub/test/login.test.ts > the devices > that a named token let in are logged out with it, when it is revoked or expires",
        "tests/web/settings.test.ts > the settings > list the devices, mark this one, and log another out only after asking",
      ],
    },
    {
      id: "security.hub-listens-127-0",
      says: "The hub listens on 127.0.0.1.",
      tests: [
        "packages/home/test/config.test.ts > the settings > have a default each",
        "apps/hub/test/lifecycle.test.ts > the hub's process > serves, tells where in files that only their owner can read, and leaves them fit for the next one",
      ],
    },
    {
      id: "security.listens-elsewhere-only-names",
      says: "It listens elsewhere only with the names under which it may be reached (`hosts`), and authentication cannot be turned off.",
      tests: [
        "apps/hub/test/lifecycle.test.ts > the hub's process > refuses %j with one sentence",
        "tests/command/hub-and-config.test.ts > askbox hub > refuses %j with exit code 2, a sentence, and with --json a document",
        "packages/hub/test/access.test.ts > a token > is needed for %s %s",
      ],
    },
    {
      id: "security.host-checked-every-route",
      says: "`Host` is checked on every route, so that no page reaches the hub by a name of its own (DNS rebinding), and `Origin` where there is one, so that no page of another origin is answered; both are refused with 403, before anything else is looked at, the upgrade to a WebSocket included.",
      tests: [
        "packages/hub/test/access.test.ts > the Host and Origin headers > are checked on every route",
        "packages/hub/test/access.test.ts > the Host and Origin headers > are checked before a token, and the refusal says what to set",
        "packages/hub/test/access.test.ts > the Host and Origin headers > are checked before the wire is opened",
        "apps/mcp-http/test/mcp-access.test.ts > who may talk to /mcp > refuses other names than its own and pages of other origins, whatever token they show",
        "packages/hub/test/web.test.ts > the page > is checked for Host and Origin like everything else",
      ],
    },
    {
      id: "security.without-tls-hub-beyond",
      says: "Without TLS, a hub beyond loopback says at its start that tokens and answers can be read on the way.",
      tests: [
        "apps/hub/test/tls.test.ts > a hub beyond loopback > says in one sentence what plain HTTP shows, and what helps",
        "apps/hub/test/tls.test.ts > a hub beyond loopback > says nothing of the kind over TLS",
      ],
    },
  ],
  explained: [],
};
