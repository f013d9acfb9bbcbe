import type { PromisedPage } from "../promise.ts";

export const httpMorePage: PromisedPage = {
  page: "docs/http.md",
  promises: [
    {
      id: "http.hub-listens-beyond-this",
      says: "The hub listens beyond this machine only with the names under which it may be reached, so that no web page can get at it by a name of its own.",
      tests: [
        "tests/command/hub-and-config.test.ts > askbox hub > refuses %j with exit code 2, a sentence, and with --json a document",
        "apps/mcp-http/test/lifecycle.test.ts > the hub's process > refuses %j with one sentence",
      ],
    },
    {
      id: "http.without-tls-says-tokens",
      says: "Without TLS it says that tokens and answers can be read on the way.",
      tests: ["apps/mcp-http/test/tls.test.ts > a hub beyond loopback > says in one sentence what plain HTTP shows, and what helps"],
    },
    {
      id: "http.certificate-may-chain-behind",
      says: "The certificate may have its chain behind it; the key has no passphrase.",
      tests: [
        "apps/mcp-http/test/tls.test.ts > a hub that is to serve over TLS > takes a certificate with its chain behind it, and refuses a key with a passphrase",
      ],
    },
    {
      id: "http.both-read-again-when",
      says: "Both are read again when they change: a pair that does not fit is left, and the log says so.",
      tests: [
        "apps/mcp-http/test/tls.test.ts > a hub with a certificate > takes up another certificate when its files change, keeps the one it has while they do not fit, and needs no restart",
      ],
    },
    {
      id: "http.tls-cert-tls-key",
      says: "`tls.cert` and `tls.key` in `config.json`, relative to its folder, and `ASKBOX_TLS_CERT` and `ASKBOX_TLS_KEY` do the same.",
      tests: [
        "apps/mcp-http/test/tls.test.ts > a hub that is to serve over TLS > takes its files from config.json, relative to that",
        "packages/home/test/config.test.ts > the settings > within others are set by flags of their whole name, and by config set",
      ],
    },
    {
      id: "http.commands-servers-hub-s",
      says: "The commands and servers of the hub's own home know its certificate by its fingerprint in `hub.json`, whoever signed it and whatever name it has.",
      tests: [
        "apps/mcp-http/test/tls.test.ts > a hub with a certificate > serves over TLS, says so in hub.json, and its own clients need nothing to trust it",
        "apps/mcp-http/test/tls.test.ts > a hub with a certificate > is known to its own clients even when the certificate has expired and is for another name",
      ],
    },
    {
      id: "http.elsewhere-one-node-trusts",
      says: "Elsewhere it has to be one that Node trusts; name the file of your own authority, or of a self-signed certificate, in `NODE_EXTRA_CA_CERTS`:",
      tests: [
        "apps/mcp-http/test/tls.test.ts > a hub with a certificate > is reached by its address where the system trusts the certificate, and said to be distrusted where not",
        "tests/command/tokens.test.ts > a hub over TLS > serves its own home's commands, and those elsewhere that trust its certificate",
      ],
    },
    {
      id: "http.fails-closed-error-answer",
      says: "It fails closed: an error, an answer that cannot be read, or none within `timeout` (ms, 2,000 unless set) lets nobody in and is answered with 503, not 401.",
      tests: [
        "packages/hub/test/vault.test.ts > a vault of the host's own > that %s lets nobody in, is not taken for a refusal, and has its words kept out of the log",
        "packages/hub/test/vault.test.ts > a vault of the host's own > that is silent lets nobody in after its time, and is told that nobody waits any more",
      ],
    },
    {
      id: "http.knows-believed-believedfor-ms",
      says: "What it knows is believed for `believedFor` (ms, 0 to 60,000, 5,000 unless set) and never past `expiresAt`; what it does not know is asked again each time.",
      tests: [
        "packages/hub/test/vault.test.ts > a vault of the host's own > is believed for as long as it was said, and no longer",
        "packages/hub/test/vault.test.ts > a vault of the host's own > is not believed past the moment at which the token expires",
        "packages/hub/test/vault.test.ts > a vault of the host's own > may not be believed for %s ms",
      ],
    },
    {
      id: "http.shown-no-token-hub",
      says: "It is shown no token of the hub's own.",
      tests: ["packages/hub/test/vault.test.ts > a vault of the host's own > is shown no token of the hub's own, nor a browser's"],
    },
    {
      id: "http.where-named-tokens-kept",
      says: "Where named tokens are kept is a port too, `TokenStore`; `tokenStoreContract` from `@askbox/hub/testing` proves one.",
      tests: ["packages/hub/test/tokens.test.ts > a list of tokens > $contractCase.name"],
    },
    {
      id: "http.openapi-json-describes-rest",
      says: "`/openapi.json` describes the REST interface to anybody: `/api/sessions`, and for desks `/api/agents` and `/api/tokens` (`GET`, `POST {name, scope, expiresIn?, agentId?}`, `DELETE`).",
      tests: [
        "packages/hub/test/openapi.test.ts > describes REST to anybody, by routes that exist and the schemas that they check with",
        "packages/hub/test/agents.test.ts > REST for agents > registers, lists and forgets agents",
        "packages/hub/test/tokens.test.ts > a named token > is neither made, listed nor revoked by an asker, by one for metrics, or by nobody",
      ],
    },
    {
      id: "http.post-api-sessions-opens",
      says: "`POST /api/sessions` | opens a session: the tool's input with `key`, `agentId` and `project` beside it; 201, and `Location` says where it is",
      tests: [
        "packages/hub/test/rest.test.ts > REST > opens a session and says where it is",
        "packages/hub/test/rest.test.ts > REST > joins the pending session of the same key",
      ],
    },
    {
      id: "http.get-api-sessions-status",
      says: "`GET /api/sessions?status=&q=&limit=&cursor=` | lists sessions for a desk, page by page: `{items, nextCursor?}`",
      tests: [
        "packages/hub/test/rest.test.ts > REST > lists by status and text, page by page",
        "packages/hub/test/rest.test.ts > REST > refuses the list %s with a sentence",
      ],
    },
    {
      id: "http.get-api-sessions-id",
      says: "`GET /api/sessions/{id}?wait=S` | gives one; with `wait` as soon as it is settled, or after so many seconds",
      tests: [
        "packages/hub/test/wait.test.ts > GET ?wait= > resolves with the outcome when the session is settled, and records that it was handed over",
        "packages/hub/test/wait.test.ts > GET ?wait= > gives the pending session when the seconds are over",
      ],
    },
    {
      id: "http.post-api-sessions-id",
      says: "`POST /api/sessions/{id}/answer` | answers it: `{answers, comment?}`",
      tests: ["packages/hub/test/rest.test.ts > REST > answers a session, and tells whoever comes second what stands"],
    },
    {
      id: "http.post-api-sessions-id-cancel",
      says: "`POST /api/sessions/{id}/cancel` | turns it down: `{reason?}`",
      tests: ["packages/hub/test/rest.test.ts > REST > cancels with a reason, extends, and takes a reply after the deadline"],
    },
    {
      id: "http.post-api-sessions-id-extend",
      says: "`POST /api/sessions/{id}/extend` | gives it more time: `{timeout}`",
      tests: ["packages/hub/test/rest.test.ts > REST > cancels with a reason, extends, and takes a reply after the deadline"],
    },
    {
      id: "http.errors-application-problem-json",
      says: "Errors are `application/problem+json`.",
      tests: [
        "packages/hub/test/mount.test.ts > a service mounted on a hub > is told of tokens and sizes in errors that become problem documents",
        "packages/hub/test/rest.test.ts > REST > refuses %s with %s",
      ],
    },
    {
      id: "http.session-closed-already-answered",
      says: "A session that is closed already is answered with 409 and the outcome that stands, an invalid answer with 422 and a sentence for each field.",
      tests: [
        "packages/hub/test/rest.test.ts > REST > answers a session, and tells whoever comes second what stands",
        "packages/hub/test/rest.test.ts > REST > refuses %s with a sentence for each field, and the session stays",
      ],
    },
    {
      id: "http.get-api-events-project",
      says: "`GET /api/events?project=&agentId=` with a desk's token is the inbox as server-sent events: a `snapshot` of all that is pending, then each change, named by its type (`session`, `removed`, `draft`, `draft_erased`).",
      tests: [
        "packages/hub/test/events.test.ts > GET /api/events > tells a snapshot, then every change in order, as server-sent events",
        "packages/hub/test/events.test.ts > GET /api/events > tells only what the filter lets through",
        "packages/hub/test/events.test.ts > GET /api/events > is not for a token that asks, nor for none",
      ],
    },
    {
      id: "http.comes-back-after-cut",
      says: "Who comes back after a cut gets a snapshot again.",
      tests: ["packages/hub/test/events.test.ts > GET /api/events > tells a snapshot, then every change in order, as server-sent events"],
    },
    {
      id: "http.comment-every-15-s",
      says: "A comment every 15 s keeps the stream open; a reader more than 16 MB behind is cut.",
      tests: [
        "packages/hub/test/events.test.ts > GET /api/events > writes a comment every 15 s while nothing happens",
        "packages/hub/test/events.test.ts > GET /api/events > is cut for a reader that is too far behind, who gets a snapshot when it comes back",
      ],
    },
    {
      id: "http.get-metrics-gives-prometheus",
      says: "`GET /metrics` gives Prometheus' text format to a token of the scope `metrics` or `desk`: `mcp_tool_calls_total` by tool and status and `mcp_errors_total` by type, of calls over HTTP and of those on stdio whose server is connected to the hub as they end; `mcp_question_latency_ms` from asking to the outcome, of every asker; `askbox_pending_sessions`, `askbox_waiting_calls`, `askbox_surfaces` and `askbox_store_operation_ms`.",
      tests: [
        "apps/mcp-http/test/metrics.test.ts > metrics in Prometheus' text format > have a line for each set of labels, whose text is escaped",
        "apps/mcp-http/test/metrics.test.ts > a hub's /metrics > tells a desk and a token for metrics, and no asker, what was asked and how long it took",
        "apps/mcp-http/test/metrics.test.ts > a hub's /metrics > counts calls over HTTP by tool and how they ended",
        "apps/mcp-http/test/metrics.test.ts > a hub's /metrics > counts calls that a server on stdio tells of; an agent over HTTP is counted while it is there",
      ],
    },
    {
      id: "http.nothing-says-was-asked",
      says: "Nothing in it says what was asked or by whom.",
      tests: [
        "apps/mcp-http/test/metrics.test.ts > a hub's /metrics > tells a desk and a token for metrics, and no asker, what was asked and how long it took",
        "apps/mcp-http/test/metrics.test.ts > metrics in Prometheus' text format > do not grow with what clients send",
      ],
    },
  ],
  explained: [
    {
      because: "advice",
      says: [
        "A proxy that ends TLS before a hub on loopback does as well: let it pass WebSockets and its own `Host` on, and do not let it buffer.",
        "A program that embeds `@askbox/hub` and keeps tokens elsewhere gives the hub a `vault`:",
      ],
    },
  ],
};
