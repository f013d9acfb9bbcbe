import type { PromisedPage } from "../promise.ts";

export const embeddingMorePage: PromisedPage = {
  page: "docs/embedding.md",
  promises: [
    {
      id: "embedding.askbox-react-everything-but",
      says: "`@askbox/react` has everything but the looks: the list, the form, drafts that follow a person from device to device, countdowns.",
      tests: [
        "packages/react/test/answer-form.test.ts > nothing is chosen before the person chooses, and every required question is missing",
        "packages/react/test/answer-form.test.ts > drafts are saved 300 ms after a key and restored on another device",
        "packages/react/test/hooks.test.ts > the countdown and the inbox follow the clock and the desk",
        "packages/react/test/inbox.test.ts > sessions are sorted by deadline or age, grouped by project, and found by all the words",
      ],
    },
    {
      id: "embedding.readme-begins-example",
      says: "[Its README](https://github.com/askbox/askbox/tree/main/packages/react#readme) begins with an example.",
      tests: [
        "tests/published/manifests.test.ts > $name > has a README that begins with an example of under 15 lines",
        "tests/published/cases/programs.ts > the first example in the README of > @askbox/react draws what waits",
      ],
    },
    {
      id: "embedding.client-s-desk-asker",
      says: "The client's `desk` and `asker` are the same ports as the broker's, and they come back by themselves after a loss.",
      tests: [
        "packages/wire/test/contract.test.ts > a hub %s > as a desk > $promise.name",
        "packages/wire/test/contract.test.ts > a hub %s > as an asker's port > $promise.name",
        "packages/wire/test/reconnect.test.ts > after a loss > a watch gets a fresh snapshot, then changes in order",
        "packages/wire/test/reconnect.test.ts > after a loss > two hundred waits on one connection are attached again, and each gets its own outcome",
      ],
    },
    {
      id: "embedding.desk-another-process-goes",
      says: "A desk in another process goes over a channel of texts: `serveWire` on the broker's side, `createWireClient` on the other.",
      tests: ["tests/examples/desk-over-message-port.test.ts > a host's windows over message ports > $contractCase.name"],
    },
    {
      id: "embedding.examples-desk-over-message",
      says: "[`examples/desk-over-message-port`](https://github.com/askbox/askbox/tree/main/examples/desk-over-message-port) does it over the message ports of Electron, a worker or a page, in two short files that pass the contract suites.",
      tests: ["tests/examples/desk-over-message-port.test.ts > a host's windows over message ports > $contractCase.name"],
    },
    {
      id: "embedding.surface-asker-hub-people",
      says: "To be a surface or an asker of the hub that people run anyway, connect to its `/ws`; [the README of `@askbox/wire`](https://github.com/askbox/askbox/tree/main/packages/wire#readme) begins with that.",
      tests: [
        "packages/hub/test/wire.test.ts > the wire over the hub > carries a question to a person and the answer back",
        "tests/published/cases/programs.ts > the first example in the README of > @askbox/hub serves what it prints the address of, and that of @askbox/wire lists what waits there",
      ],
    },
    {
      id: "embedding.createaskserver-gives-agents-tools",
      says: "`createAskServer` gives agents the tools `ask_user` and `get_answer` over an asker of yours, with heartbeats, tickets for clients with a time limit, and cancelling:",
      tests: [
        "tests/mcp/requirements-in-process.test.ts > in process, with a client on %s > $sentence [$id]",
        "tests/requirements/list/calls.ts > progress arrives at least every 15 s for as long as a call lasts, and not after",
        "tests/requirements/list/calls.ts > each client's call comes back with a ticket before the client gives up",
        "tests/requirements/list/calls.ts > a cancelled call leaves its questions open, and asking again joins them",
        "tests/requirements/list/tickets.ts > get_answer goes on waiting for its session and brings the answer",
      ],
    },
    {
      id: "embedding.createhub-askbox-hub-serves",
      says: "`createHub` of `@askbox/hub` serves your broker at an address; your own window stays a desk in the same process.",
      tests: [
        "tests/published/cases/programs.ts > the first example in the README of > @askbox/hub serves what it prints the address of, and that of @askbox/wire lists what waits there",
        "packages/hub/test/wire.test.ts > the wire over the hub > carries a question to a person and the answer back",
      ],
    },
    {
      id: "embedding.readme-begins-example-http",
      says: "[Its README](https://github.com/askbox/askbox/tree/main/packages/hub#readme) begins with an example, [HTTP](http.md) has the calls, and several hubs over one inbox are in [deploy](deploy.md).",
      tests: [
        "tests/published/manifests.test.ts > $name > has a README that begins with an example of under 15 lines",
        "tests/published/cases/programs.ts > the first example in the README of > @askbox/hub serves what it prints the address of, and that of @askbox/wire lists what waits there",
      ],
    },
    {
      id: "embedding.sessionstore-small-port-compare",
      says: "`SessionStore` is a small port with a compare-and-set at its heart.",
      tests: [
        "packages/core/src/testing/store-contract/sessions.ts > replaces a session that still has the expected revision",
        "packages/core/src/testing/store-contract/sessions.ts > changes nothing when the revision is stale",
        "packages/core/src/testing/store-contract/sessions.ts > lets exactly one of many simultaneous replaces win",
      ],
    },
    {
      id: "embedding.suites-hold-stores-askbox",
      says: "The suites that hold the stores of askbox to it are published, as plain lists for any test framework:",
      tests: [
        "tests/published/cases/programs.ts > the published contract suites hold for the stores that are published with them",
        "packages/core/test/memory-store.test.ts > the memory store > $contractCase.name",
      ],
    },
    {
      id: "embedding.durablestorecontract-stores-outlive-process",
      says: "`durableStoreContract` is for stores that outlive their process, `askerContract` and `deskContract` for ports over another way in.",
      tests: [
        "packages/core/src/testing/store-contract/durable.ts > has every session and draft after it is reopened",
        "packages/store-sqlite/test/contract.test.ts > the SQLite store > $contractCase.name",
        "packages/wire/test/contract.test.ts > a hub %s > as a desk > $promise.name",
      ],
    },
    {
      id: "embedding.examples-journal-store-ts",
      says: "[`examples/journal-store.ts`](https://github.com/askbox/askbox/blob/main/examples/journal-store.ts) is a whole store in one file.",
      tests: [
        "tests/examples/journal-store.test.ts > a store of one's own > $contractCase.name",
        "tests/examples/journal-store.test.ts > a store of one's own > has everything again after it is opened again, and forgets a line that was never finished",
      ],
    },
    {
      id: "embedding.everything-goes-wrong-askboxerror",
      says: "Everything that goes wrong is an `AskboxError`.",
      tests: ["packages/core/test/errors.test.ts > whatever is thrown becomes one: itself, or INTERNAL with the thing as its cause"],
    },
    {
      id: "embedding.code-list-grows-new",
      says: "Its `code` is one of a list that grows only with a new version, `errorCodes` says for each who can fix it (`caller`, `person`, `operator`, `askbox`), and its `message` is a sentence that says what to do.",
      tests: [
        "tests/published/public-api.test.ts > the error codes, which cross the wire, and who can fix each are what was reviewed",
        "packages/core/test/errors.test.ts > each code says who can fix it, and none can be changed",
        "packages/core/test/errors.test.ts > an error has its code, its sentence, and what it tells beside them",
      ],
    },
    {
      id: "embedding.isaskboxerror-error-session-closed",
      says: '`isAskboxError(error, "SESSION_CLOSED")` tells them apart.',
      tests: ["packages/core/test/errors.test.ts > it is known by its class and its code"],
    },
    {
      id: "embedding.exported-others-deep-imports",
      says: "What is not exported is not for others: deep imports do not work.",
      tests: ["tests/published/public-api.test.ts > nothing of $name can be imported but its entries"],
    },
    {
      id: "embedding.sessions-store-read-every",
      says: "Sessions in a store are read by every later version.",
      tests: [
        "packages/store-sqlite/test/opening.test.ts > opening a SQLite store > reads what the first released version wrote",
        "packages/core/test/record.test.ts > reading a stored session > understands the first schema as it was written",
        "packages/core/test/record.test.ts > reading a stored session > understands the question types that came later, as they were written",
        "packages/core/test/questions/every-type.test.ts > a question of every type is among the stored records that later versions go on reading",
      ],
    },
    {
      id: "embedding.packages-do-nothing-imported",
      says: "The packages do nothing when they are imported, so that a bundler drops what you do not use, and two brokers in one process share nothing that you have not given to both.",
      tests: [
        "tests/published/cases/programs.ts > %s gives a program the values that were reviewed, and does nothing else when it is loaded",
        "tests/published/manifests.test.ts > $name says that its modules do nothing when they are loaded",
        "packages/core/test/two-brokers.test.ts > two brokers in one process share nothing that both were not given",
      ],
    },
    {
      id: "embedding.askbox-core-comes-most",
      says: "`@askbox/core` comes to at most 74 KB in a page, minified and compressed, with what it depends on.",
      tests: ["tests/published/cases/sizes.ts > the size budget > of $name holds: $measure is at most $limit"],
    },
    {
      id: "embedding.examples-run-test",
      says: "[More examples](https://github.com/askbox/askbox/blob/main/examples/README.md), each run by a test.",
      tests: [
        "tests/examples/desk-over-message-port.test.ts > a host's windows over message ports > $contractCase.name",
        "tests/examples/embedded-host.test.ts > a host asks and answers in its own process, and tells the agent what the person said",
        "tests/examples/journal-store.test.ts > a store of one's own > $contractCase.name",
        "tests/examples/machine-alone.test.ts > the walk reaches every state, and leaves none that is settled",
        "tests/examples/ci-approval.test.ts > the job deploys after a yes",
        "tests/examples/browser-only.test.ts > nothing that the page loads is Node's",
        "tests/examples/chat-bot.test.ts > a question becomes a thread, and the reply in it goes to the agent in the person's name",
        "tests/examples/own-mcp-server.test.ts > a tool of someone else's server asks before it deletes, and the person is %s",
      ],
    },
    {
      id: "embedding.names-entry-exports-types",
      says: "The names that each entry exports, with their types, and the error codes are in [a list](https://github.com/askbox/askbox/blob/main/tests/published/pinned/public-api.txt) that changes only with a review.",
      tests: [
        "tests/published/public-api.test.ts > what %s exports, values and types, is what was reviewed",
        "tests/published/public-api.test.ts > the error codes, which cross the wire, and who can fix each are what was reviewed",
        "tests/published/public-api.test.ts > entries and commands come and go only after a review",
      ],
    },
  ],
  explained: [
    {
      because: "not promised",
      why: "No stability is promised before 1.0; whoever changes the list is told to write a changeset.",
      says: ["Before 1.0 a minor version may change them, and its changelog says so."],
    },
    { because: "purpose", says: ["Text in questions comes from agents."] },
    {
      because: "advice",
      why: "It tells the host's author how to draw; askbox's own pages are held to it elsewhere.",
      says: ["Draw it as text, or as Markdown without HTML; never as markup of your own page."],
    },
    {
      because: "advice",
      says: [
        "Make the parts once, put a `SurfaceProvider` around your tree, and draw what the hooks tell.",
        "A server with tools of its own that only wants to ask in between takes [`elicit()`](elicit.md).",
      ],
    },
  ],
};
