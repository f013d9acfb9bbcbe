import type { PromisedPage } from "../promise.ts";

export const wirePage: PromisedPage = {
  page: "docs/wire.md",
  promises: [
    {
      id: "wire.surfaces-commands-stdio-servers",
      says: "Surfaces, commands and stdio servers speak with their hub over this: JSON in text messages of a WebSocket at `/ws`.",
      tests: ["packages/hub/test/wire.test.ts > the wire over the hub > carries a question to a person and the answer back"],
    },
    {
      id: "wire.packages-wire-schemas-client",
      says: "`packages/wire` has the schemas, a client and a handler, over any channel that carries text in order.",
      tests: [
        "packages/wire/test/contract.test.ts > a hub %s > as an asker's port > $promise.name",
        "packages/wire/test/contract.test.ts > a hub %s > as a desk > $promise.name",
        "packages/wire/test/web-socket-channel.test.ts > a channel over %s > carries text both ways, in order, also what came before anybody listened",
        "tests/examples/desk-over-message-port.test.ts > a host's windows over message ports > $contractCase.name",
      ],
    },
    {
      id: "wire.version-1-hub-serves",
      says: "The version is **1**; a hub serves its own version and the one before.",
      tests: [
        "packages/wire/test/hello.test.ts > the protocol's version > %s is settled in the hello",
        "packages/wire/test/hello.test.ts > a hello > with %s is refused and the channel closed",
      ],
    },
    {
      id: "wire.client-says-who-within",
      says: "The client says who it is, within 5 seconds, and the hub welcomes it.",
      tests: [
        "packages/wire/test/hello.test.ts > a hello > that does not come within five seconds closes the channel",
        "packages/wire/test/hello.test.ts > a hello > is answered with what the hub is",
      ],
    },
    {
      id: "wire.follows-requests-replies-any",
      says: "What follows is requests and replies, in any order.",
      tests: [
        "packages/wire/test/reconnect.test.ts > after a loss > two hundred waits on one connection are attached again, and each gets its own outcome",
      ],
    },
    {
      id: "wire.hello-client-version-token",
      says: "`hello` | client | the version, a token, and in which role: `asker` or `desk`. A desk says its surface",
      tests: ["packages/wire/test/hello.test.ts > a hello > with %s is refused and the channel closed"],
    },
    {
      id: "wire.welcome-error-without-id",
      says: "`welcome`, or `error` without an id | hub | who answered; or why not, and the channel closes",
      tests: [
        "packages/wire/test/hello.test.ts > a hello > is answered with what the hub is",
        "packages/wire/test/hello.test.ts > a hello > with %s is refused and the channel closed",
      ],
    },
    {
      id: "wire.id-method-params-op",
      says: "`{id, method, params?, op?}` | client | a request; `id` is a whole number that is not in use",
      tests: [
        "packages/wire/test/hostile.test.ts > a message that cannot be read > because its id is in use closes the channel",
        "packages/wire/test/hostile.test.ts > a message that cannot be read > and has no id closes the channel with a reason: %s",
      ],
    },
    {
      id: "wire.id-result-id-error",
      says: "`{id, result}` or `{id, error}` | hub | its reply",
      tests: [
        "packages/wire/test/hostile.test.ts > a message that cannot be read > but has an id gets an error in reply: %s",
        "packages/wire/test/contract.test.ts > a hub %s > as a desk > $promise.name",
      ],
    },
    {
      id: "wire.cancel-id-client-ends",
      says: "`{cancel: id}` | client | ends a wait, a watch or an attendance",
      tests: [
        "packages/wire/test/hostile.test.ts > an asker > may have only so many requests under way",
        "packages/wire/test/reconnect.test.ts > after a loss > a watch that is closed ends on the hub too",
        "packages/wire/test/reconnect.test.ts > after a loss > whoever had a session open has it open again",
      ],
    },
    {
      id: "wire.watch-id-event-hub",
      says: "`{watch: id, event}` | hub | a [`DeskEvent`](shapes.md#deskevent) of that watch",
      tests: [
        "packages/wire/test/slow-reader.test.ts > a watcher that reads too slowly > is told nothing while too much is unsent, and a fresh snapshot once there is room",
        "packages/wire/test/reconnect.test.ts > after a loss > a watch gets a fresh snapshot, then changes in order",
      ],
    },
    {
      id: "wire.ping-n-pong-n",
      says: "`{ping: n}`, `{pong: n}` | both | a sign of life, since browsers have no ping frames; after 30 s of silence a channel counts as dead",
      tests: [
        "packages/wire/test/reconnect.test.ts > after a loss > a hub that stops answering is noticed within thirty seconds, from either side",
        "packages/wire/test/bounds.test.ts > unless others are set, the bounds of a channel are > 30 s of silence",
      ],
    },
    {
      id: "wire.bye-reason-hub-goes",
      says: "`{bye: reason}` | hub | it goes away, finishes what it began, and closes the channel",
      tests: [
        "packages/wire/test/bounds.test.ts > a hub that goes away says so, and closes with a code of its own; a token that was taken back closes with another",
        "packages/wire/test/closing.test.ts > a hub that says it is closing > finishes what it has begun, and its clients come back at once",
      ],
    },
    {
      id: "wire.side-does-know-message",
      says: "What a side does not know in a message it leaves out.",
      tests: [
        "packages/wire/test/bounds.test.ts > what a side does not know > in a message is left out",
        "packages/wire/test/bounds.test.ts > what a side does not know > of the hub's messages is no error to a client, and a code that it does not know is INTERNAL",
      ],
    },
    {
      id: "wire.error-code-does-know",
      says: "An error code that it does not know is `INTERNAL`.",
      tests: [
        "packages/wire/test/bounds.test.ts > what a side does not know > of the hub's messages is no error to a client, and a code that it does not know is INTERNAL",
        "packages/core/test/errors.test.ts > it crosses the wire and is the same again, without its cause; a code of a newer askbox is INTERNAL",
      ],
    },
    {
      id: "wire.token-scope-asker-opens",
      says: "A token of scope `asker` opens no desk, and the other way round.",
      tests: [
        "packages/hub/test/wire.test.ts > the wire over the hub > refuses a token that is unknown or of the other scope",
        "packages/wire/test/hostile.test.ts > an asker > reaches no method of a desk",
        "packages/wire/test/hello.test.ts > a hello > with %s is refused and the channel closed",
      ],
    },
    {
      id: "wire.read-changes-nothing-more",
      says: "read | changes nothing more: it is sent again",
      tests: [
        "packages/wire/test/cut.test.ts > when all connections break at any one frame %s > there is one session with one outcome, and both sides learn it",
        "packages/wire/test/reconnect.test.ts > after a loss > two hundred waits on one connection are attached again, and each gets its own outcome",
      ],
    },
    {
      id: "wire.operation-carries-op-name",
      says: "operation | carries an `op`, a name by which the hub knows it again for 10 minutes, and takes effect once",
      tests: [
        "packages/wire/test/cut.test.ts > when all connections break at any one frame %s > cancel, extend, recall, reply and withdraw take effect once, and succeed",
        "packages/wire/test/bounds.test.ts > an operation is known again for 10 minutes unless told otherwise",
        "packages/wire/test/operation-memory.test.ts > what a hub remembers of operations > one that is repeated is carried out once, also while it still runs",
      ],
    },
    {
      id: "wire.held-lasts-until-cancelled",
      says: "held | lasts until it is cancelled or the channel closes, and is begun again on the next channel",
      tests: [
        "packages/wire/test/reconnect.test.ts > after a loss > a watch gets a fresh snapshot, then changes in order",
        "packages/wire/test/reconnect.test.ts > after a loss > whoever had a session open has it open again",
        "packages/wire/test/reconnect.test.ts > after a loss > a watch that is closed ends on the hub too",
      ],
    },
    {
      id: "wire.once-never-sent-again",
      says: "once | is never sent again",
      tests: ["packages/wire/test/bounds.test.ts > what is sent once is not sent again on the next connection"],
    },
    {
      id: "wire.wait-resolves-session-when",
      says: "`wait` resolves with the session when it is settled, or after `ticketAfter` milliseconds as it then is.",
      tests: [
        "packages/core/src/testing/asker-contract/waiting.ts > a wait resolves with the answer that is given",
        "packages/core/src/testing/asker-contract/waiting.ts > a wait with a ticket resolves with the pending session when its time is over",
        "packages/core/src/testing/asker-contract/waiting.ts > a wait for a session that is settled resolves at once",
      ],
    },
    {
      id: "wire.attend-says-person-session",
      says: "`attend` says that a person has the session open, for as long as it lasts.",
      tests: [
        "packages/core/src/testing/desk-contract/watching.ts > who has a session open is seen by all, and that it was seen is kept",
        "packages/wire/test/reconnect.test.ts > after a loss > whoever had a session open has it open again",
      ],
    },
  ],
  explained: [],
};
