import type { PromisedPage } from "../promise.ts";

export const restPage: PromisedPage = {
  page: "docs/rest.md",
  promises: [
    {
      id: "rest.running-hub-describes-this",
      says: "A running hub describes this interface to anybody at `/openapi.json` (OpenAPI 3.1).",
      tests: ["packages/hub/test/openapi.test.ts > describes REST to anybody, by routes that exist and the schemas that they check with"],
    },
    {
      id: "rest.this-page-made",
      says: "This page is made from that.",
      tests: ["tests/docs/generated.test.ts > the references are what the code says; if not, run pnpm docs:pages > $name"],
    },
    {
      id: "rest.address-askbox-hub-status",
      says: "**Address**: `askbox hub status` says where the hub is.",
      tests: ["apps/mcp-http/test/lifecycle.test.ts > the hub's process > tells of itself, and stops when a desk says so"],
    },
    {
      id: "rest.token-authorization-bearer-token",
      says: "**Token**: `Authorization: Bearer TOKEN` with each request, of the scope that the operation names: `asker` asks and sees its own sessions, `desk` sees and settles everything.",
      tests: [
        "packages/hub/test/access.test.ts > a token > is needed for %s %s",
        "packages/hub/test/access.test.ts > a token > of the scope %s may do what its scope says and no more",
      ],
    },
    {
      id: "rest.bodies-json-256-kb",
      says: "**Bodies** are JSON, of 256 KB at most.",
      tests: [
        "packages/hub/test/limits.test.ts > the size of a request > may be 256 KB and not a byte more",
        "packages/hub/test/slow-connections.test.ts > malformed JSON at %s is answered with a sentence",
      ],
    },
    {
      id: "rest.times-wall-time-milliseconds",
      says: "Times are wall time in milliseconds since the epoch, durations milliseconds.",
      tests: [
        "packages/hub/test/rest.test.ts > REST > opens a session and says where it is",
        "packages/hub/test/rest.test.ts > REST > cancels with a reason, extends, and takes a reply after the deadline",
      ],
    },
    {
      id: "rest.three-addresses-need-token",
      says: "Three addresses need no token: `/healthz` (the process lives), `/readyz` (it can do its work; 503 while not) and `/openapi.json`.",
      tests: [
        "packages/hub/test/access.test.ts > the hub's health > is open to all and proves who it is to one who knows the secret",
        "packages/hub/test/access.test.ts > the hub's health > is not ready while its store is away, and says so without telling where that is",
        "packages/hub/test/openapi.test.ts > describes REST to anybody, by routes that exist and the schemas that they check with",
      ],
    },
    {
      id: "rest.metrics-takes-one-scope",
      says: "[`/metrics`](operations.md#figures) takes one of scope `metrics` or `desk`.",
      tests: [
        "apps/mcp-http/test/metrics.test.ts > a hub's /metrics > tells a desk and a token for metrics, and no asker, what was asked and how long it took",
      ],
    },
    {
      id: "rest.wait-seconds-1-800",
      says: "`wait` is in seconds, 1,800 at most: the answer comes as soon as the session is settled, and as it stands when the time is over.",
      tests: [
        "packages/hub/test/wait.test.ts > GET ?wait= > resolves with the outcome when the session is settled, and records that it was handed over",
        "packages/hub/test/wait.test.ts > GET ?wait= > gives the pending session when the seconds are over",
        "packages/hub/test/wait.test.ts > GET ?wait= > takes more than half an hour for half an hour",
      ],
    },
    {
      id: "rest.asker-s-token-settled",
      says: "With an asker's token a settled session is thereby delivered.",
      tests: [
        "packages/hub/test/wait.test.ts > GET ?wait= > resolves with the outcome when the session is settled, and records that it was handed over",
        "packages/hub/test/wait.test.ts > GET ?wait= > lets a desk wait without handing anything over",
      ],
    },
    {
      id: "rest.session-another-s-one",
      says: "A session that is another's and one that does not exist are answered alike, with 403.",
      tests: [
        "packages/hub/test/rest.test.ts > REST > answers 404 for what is not there",
        "packages/hub/test/access.test.ts > a token > of the scope %s may do what its scope says and no more",
      ],
    },
    {
      id: "rest.get-api-events-begins",
      says: "`GET /api/events` begins with a `snapshot` and goes on with each change, each named by its type.",
      tests: ["packages/hub/test/events.test.ts > GET /api/events > tells a snapshot, then every change in order, as server-sent events"],
    },
    {
      id: "rest.who-comes-back-after",
      says: "Who comes back after a cut gets a snapshot again.",
      tests: [
        "packages/hub/test/events.test.ts > GET /api/events > is cut for a reader that is too far behind, who gets a snapshot when it comes back",
      ],
    },
    {
      id: "rest.refusal-application-problem-json",
      says: "A refusal is `application/problem+json` (RFC 9457): `{type, title, status, detail, code}`, where `detail` is a sentence that says what to do; for an address that there is not, without `code`.",
      tests: [
        "packages/hub/test/rest.test.ts > REST > answers a session, and tells whoever comes second what stands",
        "packages/hub/test/rest.test.ts > REST > refuses the ask %s with a sentence",
        "packages/hub/test/rest.test.ts > REST > answers 404 for what is not there",
      ],
    },
    {
      id: "rest.some-carry-more-session",
      says: "Some carry more: `session`, with the outcome that stands, when it is closed already; `issues` when an answer does not fit; `retryAfter` beside the header of that name.",
      tests: [
        "packages/hub/test/rest.test.ts > REST > answers a session, and tells whoever comes second what stands",
        "packages/hub/test/rest.test.ts > REST > refuses %s with a sentence for each field, and the session stays",
        "packages/hub/test/limits.test.ts > the number of asks > is 100 unless it was set: the 101st is refused, over REST and the wire, and told when to come again",
      ],
    },
    {
      id: "rest.400-request-cannot-understood",
      says: "400 | the request cannot be understood",
      tests: [
        "packages/hub/test/rest.test.ts > REST > refuses %s with %s",
        "packages/hub/test/slow-connections.test.ts > malformed JSON at %s is answered with a sentence",
      ],
    },
    {
      id: "rest.401-403-token-one",
      says: "401, 403 | no token, or one that is not known; a token of another scope, or a name or page that is not the hub's",
      tests: [
        "packages/hub/test/access.test.ts > a token > is needed for %s %s",
        "packages/hub/test/access.test.ts > a token > of the scope %s may do what its scope says and no more",
        "packages/hub/test/access.test.ts > the Host and Origin headers > are checked on every route",
      ],
    },
    {
      id: "rest.404-409-such-thing",
      says: "404, 409 | there is no such thing; it is settled already, or somebody was first",
      tests: [
        "packages/hub/test/rest.test.ts > REST > answers 404 for what is not there",
        "packages/hub/test/rest.test.ts > REST > answers a session, and tells whoever comes second what stands",
      ],
    },
    {
      id: "rest.413-429-too-large",
      says: "413, 429 | too large; too often or too much pending, with `Retry-After`",
      tests: [
        "packages/hub/test/limits.test.ts > the size of a request > may be 256 KB and not a byte more",
        "packages/hub/test/limits.test.ts > the number of asks > is 100 unless it was set: the 101st is refused, over REST and the wire, and told when to come again",
        "packages/hub/test/limits.test.ts > what one token may do, whatever agent ids it is used with > is 10 times what one agent id may have pending, and settled ones make room",
      ],
    },
    {
      id: "rest.422-answer-does-fit",
      says: "422 | the answer does not fit its question",
      tests: ["packages/hub/test/rest.test.ts > REST > refuses %s with a sentence for each field, and the session stays"],
    },
    {
      id: "rest.500-hub-failed-log",
      says: "500 | the hub failed; its log says why",
      tests: ["packages/hub/test/login.test.ts > the devices > are not let in when they cannot be kept"],
    },
    {
      id: "rest.503-hub-closing-store",
      says: "503 | the hub is closing, or its store is away",
      tests: [
        "packages/hub/test/wait.test.ts > GET ?wait= > ends with 503 when the hub closes",
        "apps/mcp-http/test/shutdown.test.ts > a hub that is told to end by SIGTERM > takes no ask that comes on a connection which is open still: 503, and when to come again",
        "packages/hub/test/access.test.ts > the hub's health > is not ready while its store is away, and says so without telling where that is",
        "tests/faults/disk.test.ts > a disk that takes nothing > because it is full: the answerer gets an error, nothing claims success, and the hub recovers when space returns",
      ],
    },
    {
      id: "rest.codes-stable",
      says: "The codes are stable.",
      tests: ["tests/published/public-api.test.ts > the error codes, which cross the wire, and who can fix each are what was reviewed"],
    },
    {
      id: "rest.over-wire-json-library",
      says: "Over the wire, in `--json` and in the library they are the same.",
      tests: [
        "packages/core/test/errors.test.ts > it crosses the wire and is the same again, without its cause; a code of a newer askbox is INTERNAL",
        "tests/command/hub-and-config.test.ts > askbox hub > refuses %j with exit code 2, a sentence, and with --json a document",
        "packages/hub/test/rest.test.ts > REST > answers a session, and tells whoever comes second what stands",
      ],
    },
  ],
  explained: [
    { because: "advice", says: ["[How to make one](http.md#the-token)."] },
    { because: "purpose", says: ["**Types** are written as in TypeScript; [Shapes](shapes.md) has those with a name."] },
  ],
};
