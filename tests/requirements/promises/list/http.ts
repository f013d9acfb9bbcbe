import type { PromisedPage } from "../promise.ts";

export const httpPage: PromisedPage = {
  page: "docs/http.md",
  promises: [
    {
      id: "http.client-cannot-start-process",
      says: "A client that cannot start a process, or runs in a container or on another machine, reaches askbox's tools by URL.",
      tests: ["tests/mcp/requirements-http.test.ts > over HTTP, with a client on %s at %s > $sentence [$id]"],
    },
    {
      id: "http.tools-same-stdio-questions",
      says: "The tools are the same as on stdio, and questions come into the same inbox.",
      tests: [
        "tests/mcp/requirements-http.test.ts > over HTTP, with a client on %s at %s > $sentence [$id]",
        "tests/requirements/list/answers.ts > the person sees which client asks, and in which project",
      ],
    },
    {
      id: "http.mcp-streamable-http-protocol",
      says: "`/mcp` | Streamable HTTP, protocol revisions 2025-03-26 to 2026-07-28",
      tests: [
        "apps/mcp-http/test/mcp-revisions.test.ts > MCP over HTTP > serves revision %s with a session",
        "apps/mcp-http/test/mcp-revisions.test.ts > MCP over HTTP > serves revision 2026-07-28 without a session",
      ],
    },
    {
      id: "http.sse-messages-clients-speak",
      says: "`/sse`, `/messages` | clients that speak only 2024-11-05",
      tests: [
        "apps/mcp-http/test/mcp-sse.test.ts > MCP of revision 2024-11-05 at /sse and /messages > brings an answer over the stream, and counts it as delivered",
      ],
    },
    {
      id: "http.every-request-carries-authorization",
      says: "Every request carries `Authorization: Bearer TOKEN`.",
      tests: [
        "apps/mcp-http/test/mcp-access.test.ts > who may talk to /mcp > asks for a token, and says where to read how to be let in",
        "packages/hub/test/access.test.ts > a token > is needed for %s %s",
      ],
    },
    {
      id: "http.asker-ask-see-own",
      says: "`asker` | ask, and see its own questions; it can neither list, read what others asked, answer, cancel nor make tokens",
      tests: [
        "packages/hub/test/access.test.ts > a token > of the scope %s may do what its scope says and no more",
        "packages/hub/test/tokens.test.ts > a named token > of the scope asker asks, and its sessions are no other token's",
        "packages/hub/test/tokens.test.ts > a named token > is neither made, listed nor revoked by an asker, by one for metrics, or by nobody",
      ],
    },
    {
      id: "http.desk-see-settle-everything",
      says: "`desk` | see and settle everything, make and revoke tokens",
      tests: [
        "packages/hub/test/tokens.test.ts > a named token > of the scope desk answers, over REST and the wire",
        "packages/hub/test/access.test.ts > a token > of the scope %s may do what its scope says and no more",
      ],
    },
    {
      id: "http.metrics-read-metrics-nothing",
      says: "`metrics` | read `/metrics` and nothing else",
      tests: [
        "packages/hub/test/access.test.ts > a token > of the scope %s may do what its scope says and no more",
        "apps/hub/test/metrics.test.ts > a hub's /metrics > tells a desk and a token for metrics, and no asker, what was asked and how long it took",
      ],
    },
    {
      id: "http.token-printed-once-kept",
      says: "A token is printed once and kept as a hash.",
      tests: [
        "packages/hub/test/tokens.test.ts > a named token > is shown once, has 256 random bits, and is listed without them",
        "packages/hub/test/tokens.test.ts > a list of tokens > outlives the hub as hashes, and leaves out what cannot be read",
      ],
    },
    {
      id: "http.askbox-token-list-says",
      says: "`askbox token list` says which there are, when each expires and, to 10 minutes, when it was last used.",
      tests: [
        "packages/hub/test/tokens.test.ts > a named token > tells when it was last used, to 10 minutes",
        "tests/command/tokens.test.ts > askbox token > makes a token for an agent elsewhere, which asks until it is revoked, and not a moment longer",
      ],
    },
    {
      id: "http.askbox-token-revoke-ci",
      says: "`askbox token revoke ci` takes it back at once: its long polls, event streams, sockets and MCP sessions end, and so do the logins of browsers that it let in.",
      tests: [
        "packages/hub/test/tokens.test.ts > a token that is revoked > ends a desk's long poll, an asker's long poll and both their sockets at once",
        "packages/hub/test/tokens.test.ts > a token that is revoked > ends the event streams that watch with it",
        "apps/mcp-http/test/mcp-tokens.test.ts > a named token over MCP > that is revoked ends its sessions of %s and what they wait for; the question stays",
        "packages/hub/test/login.test.ts > the devices > that a named token let in are logged out with it, when it is revoked or expires",
      ],
    },
    {
      id: "http.questions-asked-stay-you",
      says: "The questions it asked stay for you to see.",
      tests: [
        "apps/mcp-http/test/mcp-tokens.test.ts > a named token over MCP > that is revoked ends its sessions of %s and what they wait for; the question stays",
        "tests/command/tokens.test.ts > askbox token > makes a token for an agent elsewhere, which asks until it is revoked, and not a moment longer",
      ],
    },
    {
      id: "http.agent-builder-everything-asked",
      says: "With `--agent builder` everything asked with it carries that agent id, whatever the agent says of itself.",
      tests: [
        "packages/hub/test/tokens.test.ts > a named token > given to an agent asks in that agent's name, whatever the agent says of itself",
        "apps/mcp-http/test/mcp-tokens.test.ts > a named token over MCP > given to an agent asks in that agent's name, whatever address and call say",
      ],
    },
    {
      id: "http.token-expires-makes-none",
      says: "A token that expires makes none that outlive it.",
      tests: ["packages/hub/test/tokens.test.ts > a token that expires > makes no token that outlives it"],
    },
    {
      id: "http.two-tokens-without-name",
      says: "Two tokens without a name are in askbox's data folder (`$ASKBOX_HOME` if you have set it): `askerToken` in `hub.json` and `deskToken` in `desk.json`.",
      tests: [
        "apps/hub/test/lifecycle.test.ts > the hub's process > serves, tells where in files that only their owner can read, and leaves them fit for the next one",
        "packages/home/test/runtime-files.test.ts > the runtime files > are readable by their owner alone, in a folder that only the owner can enter",
      ],
    },
    {
      id: "http.commands-servers-this-machine",
      says: "The commands and servers of this machine use them.",
      tests: [
        "apps/hub/test/connect.test.ts > the way to the hub > leads to a given hub with a given token, or with this home's when it is this home's",
      ],
    },
    {
      id: "http.askbox-install-client-http",
      says: "`askbox install CLIENT --http` writes such an entry ([Clients](clients.md)).",
      tests: [
        "tests/clients/install-command.test.ts > askbox install > --http names the hub's address and where the token is, and puts it in no file",
      ],
    },
    {
      id: "http.mcp-agent-builder-project",
      says: "`/mcp?agent=builder&project=/home/ada/engine&tools=ask_user&name=askbox&max-wait=50&on-cancel=keep&surfaces=inbox,client&timeout=600000`: each parameter means what the flag of `askbox mcp` with its name means.",
      tests: [
        "apps/mcp-http/test/mcp-access.test.ts > who asks > is told by the address, by headers before it, and by the call's _meta before both",
        "apps/mcp-http/test/mcp-access.test.ts > who asks > gets the tools that the address names, and a sentence when it names others",
        "tests/mcp/requirements-http.test.ts > over HTTP, with a client on %s at %s > $sentence [$id]",
      ],
    },
    {
      id: "http.headers-x-askbox-agent-x-askbox-project-stand",
      says: "The headers `X-Askbox-Agent` and `X-Askbox-Project` stand above the URL, a call's own `_meta` (`askbox/agent`, `askbox/project`) above both.",
      tests: [
        "apps/mcp-http/test/mcp-access.test.ts > who asks > is told by the address, by headers before it, and by the call's _meta before both",
      ],
    },
    {
      id: "http.all-client-says-itself",
      says: "All of it is what the client says of itself; a person sees it as that.",
      tests: ["tests/requirements/list/answers.ts > the person sees which client asks, and in which project"],
    },
    {
      id: "http.agent-id-token-was",
      says: "The agent id of a token that was given one stands above all.",
      tests: [
        "apps/mcp-http/test/mcp-tokens.test.ts > a named token over MCP > given to an agent asks in that agent's name, whatever address and call say",
      ],
    },
    {
      id: "http.without-project-client-s",
      says: "Without a project, the client's first root is taken.",
      tests: [
        "packages/mcp/test/roots.test.ts > the client's roots are asked for once, until the client says that they have changed",
        "packages/mcp/test/roots.test.ts > a client that refuses to name its roots has none",
        "tests/requirements/list/answers.ts > the person sees which client asks, and in which project",
      ],
    },
  ],
  explained: [
    {
      because: "advice",
      says: [
        "The hub has to run already, since a URL starts nothing: keep `askbox hub --port 4141` running.",
        "Make one for each agent:",
        "By hand: Claude Code, `.mcp.json`:",
        "Codex, `~/.codex/config.toml`:",
        "OpenCode, `opencode.json`:",
        "Gemini CLI, `~/.gemini/settings.json`:",
      ],
    },
    {
      because: "not promised",
      says: [
        "These entries follow the clients' documentation and were not run with the clients themselves; the tests of this repository run the clients of both MCP SDKs.",
      ],
    },
  ],
};
