import type { PromisedPage } from "../promise.ts";

export const httpStreamsPage: PromisedPage = {
  page: "docs/http.md",
  promises: [
    {
      id: "http.call-streams-first-moment",
      says: "A call streams from the first moment: headers and a comment at once, a comment every 15 s, and progress every 10 s if the client gave a progress token.",
      tests: [
        "apps/mcp-http/test/mcp-revisions.test.ts > MCP over HTTP > streams from the first moment, before anybody has answered and without a progress token",
        "apps/mcp-http/test/mcp-revisions.test.ts > MCP over HTTP > sends progress at least every 15 s to a call that asks for it",
        "packages/mcp/test/heartbeat.test.ts > a heartbeat beats at once, at every new message, then every 10 s, and progress only grows",
        "apps/mcp-http/test/mcp-sse.test.ts > MCP of revision 2024-11-05 at /sse and /messages > says that it is alive while nobody answers",
      ],
    },
    {
      id: "http.stream-closed-detaches-call",
      says: "A stream that is closed detaches its call; the question stays, and asking again goes on with it.",
      tests: [
        "apps/mcp-http/test/mcp-streams.test.ts > a call's stream > detaches the call when it is cut and nobody resumes it; the answer waits for the next connection",
        "apps/mcp-http/test/mcp-streams.test.ts > a call's stream > detaches the call at once where there is nothing to resume",
      ],
    },
    {
      id: "http.up-2025-11-25-client-may",
      says: "Up to 2025-11-25 a client may resume a cut stream with `Last-Event-ID`: within 3 s the call simply goes on, and an answer that had been sent is kept for it as long as the MCP session lives.",
      tests: [
        "apps/mcp-http/test/mcp-streams.test.ts > a call's stream > is resumed by Last-Event-ID with what was said meanwhile, and that counts as delivered only then",
        "apps/mcp-http/test/mcp-streams.test.ts > a call's stream > goes on after it was resumed",
        "apps/mcp-http/test/mcp-streams.test.ts > a call's stream > detaches the call when it is cut and nobody resumes it; the answer waits for the next connection",
      ],
    },
    {
      id: "http.several-hubs-any-takes",
      says: "Of [several hubs](deploy.md) any takes the stream up, within 10 minutes: the call goes on there, or its result is sent again.",
      tests: [
        "apps/mcp-http/test/mcp-cluster.test.ts > a call whose hub is lost > goes on at another hub that its stream is resumed at, with one question and one result, delivered once it is written",
        "apps/mcp-http/test/mcp-cluster.test.ts > a call whose hub is lost > brings a result that was there and not read to the hub that its client comes to, once",
      ],
    },
    {
      id: "http.outcome-counts-delivered-when",
      says: "An outcome counts as delivered when its response has been written to a connection that still stood.",
      tests: [
        "apps/mcp-http/test/mcp-streams.test.ts > a call's stream > is resumed by Last-Event-ID with what was said meanwhile, and that counts as delivered only then",
        "tests/requirements/list/answers.ts > an outcome counts as delivered once its result is written",
      ],
    },
    {
      id: "http.otherwise-comes-asker-s",
      says: "Otherwise it comes with the asker's next result.",
      tests: [
        "apps/mcp-http/test/mcp-sse.test.ts > MCP of revision 2024-11-05 at /sse and /messages > detaches its calls when the stream is closed; their answer is not delivered",
        "tests/requirements/list/tickets.ts > an answer that came while nobody waited comes along with the next result, once",
      ],
    },
    {
      id: "http.mcp-sessions-hub-s",
      says: "MCP sessions are in the hub's memory: after a restart they are answered with 404, and the client begins a new one.",
      tests: [
        "apps/mcp-http/test/mcp-revisions.test.ts > MCP over HTTP > ends a session that its client deletes, and knows none that is ended, unknown or of another token",
        "tests/mcp/hub-restart.test.ts > after the hub was started again > a client on %s asks again and goes on with its question",
      ],
    },
    {
      id: "http.questions-disk-asking-same",
      says: "Questions are on disk: asking the same again goes on with the one that is open.",
      tests: ["tests/mcp/hub-restart.test.ts > after the hub was started again > a client on %s asks again and goes on with its question"],
    },
    {
      id: "http.over-redis-sessions-known",
      says: "Over a Redis, sessions are known to all hubs, and outlive each of them.",
      tests: [
        "apps/mcp-http/test/mcp-cluster.test.ts > an MCP session of an older revision at several hubs > goes on at a hub that did not begin it, for its owner alone, and no token is kept for that",
        "tests/cluster/mcp-sessions.test.ts > an MCP client of an older revision (SDK %s) whose hub is killed while it waits goes on at another, and gets one result",
      ],
    },
    {
      id: "http.clients-2026-07-28-no-session",
      says: "Clients of 2026-07-28 have no session, and go on as they are.",
      tests: [
        "apps/mcp-http/test/mcp-revisions.test.ts > MCP over HTTP > serves revision 2026-07-28 without a session",
        "tests/mcp/hub-restart.test.ts > after the hub was started again > a client on %s asks again and goes on with its question",
      ],
    },
    {
      id: "http.since-2026-07-28-waits-nobody",
      says: "Since 2026-07-28, what waits for nobody is answered with HTTP's own status: 404 for an unknown method, 400 for a missing capability.",
      tests: [
        "apps/mcp-http/test/mcp-revisions.test.ts > MCP over HTTP > answers what waits for nobody with HTTP's own status, since revision 2026-07-28",
      ],
    },
    {
      id: "http.bodies-more-than-256",
      says: "Bodies of more than 256 KB are answered with 413, other hosts and origins with 403.",
      tests: [
        "apps/mcp-http/test/mcp-access.test.ts > what /mcp takes > refuses a body of 256 KB and one byte, however it is sent, and takes one of 256 KB",
        "apps/mcp-http/test/mcp-access.test.ts > who may talk to /mcp > refuses other names than its own and pages of other origins, whatever token they show",
      ],
    },
    {
      id: "http.headers-10-s-arrive",
      says: "Headers have 10 s to arrive, a whole request 30 s, and there are 4,096 connections at most.",
      tests: [
        "apps/mcp-http/test/mcp-access.test.ts > what /mcp takes > hangs up on headers and bodies that never end, and on more connections than it takes",
        "packages/hub/test/slow-connections.test.ts > 2,000 connections that send slowly hold up nobody, and are hung up on by themselves",
      ],
    },
    {
      id: "http.token-agent-id-may",
      says: "A token and agent id may ask 100 times a minute and have 1,000 questions pending (`limits.asksPerMinute`, `limits.pending`).",
      tests: [
        "packages/hub/test/limits.test.ts > the number of asks > is limited in any minute, for each token and agent id",
        "packages/hub/test/limits.test.ts > the number of asks > is 100 unless it was set: the 101st is refused, over REST and the wire, and told when to come again",
        "packages/hub/test/limits.test.ts > the number of pending sessions > is limited for each token and agent id, and settled ones make room",
      ],
    },
    {
      id: "http.since-agents-choose-their",
      says: "Since agents choose their agent ids, a token alone may do 10 times that (`limits.asksPerMinutePerToken`, `limits.pendingPerToken`) and have 64 MB of questions pending (`limits.pendingBytesPerToken`).",
      tests: [
        "packages/hub/test/limits.test.ts > what one token may do, whatever agent ids it is used with > is 10 times what one agent id may ask in a minute",
        "packages/hub/test/limits.test.ts > what one token may do, whatever agent ids it is used with > is 10 times what one agent id may have pending, and settled ones make room",
        "packages/hub/test/limits.test.ts > what one token may do, whatever agent ids it is used with > is so many bytes of pending questions, counted over a restart too",
      ],
    },
    {
      id: "http.more-refused-429-retry-after",
      says: "More is refused with 429 and `Retry-After`; over MCP, whose stream has begun by then, with a sentence to the agent.",
      tests: [
        "packages/hub/test/limits.test.ts > the number of asks > is 100 unless it was set: the 101st is refused, over REST and the wire, and told when to come again",
        "apps/mcp-http/test/mcp-tokens.test.ts > the 101st ask in a minute over MCP > is refused with a sentence to the agent that says when to come again",
        "apps/mcp-http/test/mcp-access.test.ts > who may talk to /mcp > holds asks to the limit and says so to the agent",
      ],
    },
    {
      id: "http.hub-ends-takes-no",
      says: "A hub that ends takes no more asks (503 and `Retry-After`), tells whoever waits, keeps every question, and is gone within 5 s.",
      tests: [
        "apps/mcp-http/test/shutdown.test.ts > a hub that is told to end by SIGTERM > ends by itself within 5 s, whoever holds on to it, and keeps every session",
        "apps/mcp-http/test/shutdown.test.ts > a hub that is told to end by SIGTERM > takes no ask that comes on a connection which is open still: 503, and when to come again",
        "apps/mcp-http/test/mcp-revisions.test.ts > MCP over HTTP > tells calls that wait when the hub goes away; their questions stay",
      ],
    },
    {
      id: "http.without-token-unknown-one",
      says: "Without a token or with an unknown one: 401, and `WWW-Authenticate` names the protected-resource metadata (RFC 9728).",
      tests: ["apps/mcp-http/test/mcp-access.test.ts > who may talk to /mcp > asks for a token, and says where to read how to be let in"],
    },
    {
      id: "http.names-no-authorization-server",
      says: "It names no authorization server, because tokens come from the hub's owner.",
      tests: ["apps/mcp-http/test/mcp-access.test.ts > who may talk to /mcp > asks for a token, and says where to read how to be let in"],
    },
    {
      id: "http.token-another-scope-403",
      says: "With a token of another scope: 403.",
      tests: ["apps/mcp-http/test/mcp-access.test.ts > who may talk to /mcp > refuses a token of another scope"],
    },
  ],
  explained: [],
};
