import type { PromisedPage } from "../promise.ts";

export const apiPage: PromisedPage = {
  page: "docs/api.md",
  promises: [
    {
      id: "api.inbox-shows-program-can",
      says: "What the inbox shows, a program can see and settle over HTTP, with a token of its own:",
      tests: [
        "packages/hub/test/access.test.ts > a token > of the scope %s may do what its scope says and no more",
        "packages/hub/test/openapi.test.ts > describes REST to anybody, by routes that exist and the schemas that they check with",
        "packages/hub/test/tokens.test.ts > a named token > of the scope desk answers, over REST and the wire",
      ],
    },
    {
      id: "api.answers-counts-like-person",
      says: "What it answers counts like a person's, on the surface `api` and under the token's name.",
      tests: ["packages/hub/test/tokens.test.ts > a named token > of the scope desk answers, over REST and the wire"],
    },
    {
      id: "api.follow-inbox-get-api",
      says: "follow the inbox | `GET /api/events`: server-sent events, a snapshot and then each change",
      tests: ["packages/hub/test/events.test.ts > GET /api/events > tells a snapshot, then every change in order, as server-sent events"],
    },
    {
      id: "api.wait-one-session-get",
      says: "wait for one session | `GET /api/sessions/{id}?wait=60`",
      tests: ["packages/hub/test/wait.test.ts > GET ?wait= > lets a desk wait without handing anything over"],
    },
    {
      id: "api.answer-turn-down-give",
      says: "answer, turn down, give more time | `POST /api/sessions/{id}/answer`, `…/cancel`, `…/extend`",
      tests: [
        "packages/hub/test/rest.test.ts > REST > answers a session, and tells whoever comes second what stands",
        "packages/hub/test/rest.test.ts > REST > cancels with a reason, extends, and takes a reply after the deadline",
      ],
    },
    {
      id: "api.called-instead-looking-webhooks",
      says: "be called instead of looking | [webhooks](webhooks.md)",
      tests: [
        "packages/webhooks/test/webhooks.test.ts > a webhook > is told that a session opened and how it settled, with the session as people see it",
      ],
    },
    {
      id: "api.ask-post-api-sessions",
      says: "ask | `POST /api/sessions`, with a token of scope `asker`",
      tests: [
        "packages/hub/test/rest.test.ts > REST > opens a session and says where it is",
        "packages/hub/test/access.test.ts > a token > of the scope %s may do what its scope says and no more",
      ],
    },
    {
      id: "api.examples-program-answers-outside",
      says: "`examples/` has a program that answers from outside: see [Examples](../examples/README.md).",
      tests: ["tests/examples/chat-bot.test.ts > a question becomes a thread, and the reply in it goes to the agent in the person's name"],
    },
    {
      id: "api.first-answer-wins-here",
      says: "The first answer wins here too.",
      tests: [
        "tests/faults/first-answer-wins.test.ts > the first answer wins > of two answers at the same instant, a thousand times: one winner, and the loser is told who it was and where",
        "packages/hub/test/rest.test.ts > REST > answers a session, and tells whoever comes second what stands",
      ],
    },
    {
      id: "api.whoever-comes-second-gets",
      says: 'Whoever comes second gets 409 with `code: "SESSION_CLOSED"`, and the session with the outcome that stands in `session`.',
      tests: ["packages/hub/test/rest.test.ts > REST > answers a session, and tells whoever comes second what stands"],
    },
    {
      id: "api.answer-does-fit-gets",
      says: "An answer that does not fit gets 422 with a sentence for each question in `issues`; the session stays pending.",
      tests: ["packages/hub/test/rest.test.ts > REST > refuses %s with a sentence for each field, and the session stays"],
    },
    {
      id: "api.createwireclient-askbox-wire-gives",
      says: "`createWireClient` of `@askbox/wire` gives the same two ports that the surfaces use, kept up over lost connections: see the [wire protocol](wire.md#from-typescript).",
      tests: [
        "packages/wire/test/contract.test.ts > a hub %s > as an asker's port > $promise.name",
        "packages/wire/test/contract.test.ts > a hub %s > as a desk > $promise.name",
        "packages/wire/test/reconnect.test.ts > after a loss > two hundred waits on one connection are attached again, and each gets its own outcome",
      ],
    },
  ],
  explained: [
    {
      because: "advice",
      why: "It tells to whom a token of scope desk should go.",
      says: ["Give a `desk` token to programs that speak for a person, and to no agent.", "[REST](rest.md) has all of it."],
    },
  ],
};
