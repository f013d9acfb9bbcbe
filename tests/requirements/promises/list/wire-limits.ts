import type { PromisedPage } from "../promise.ts";

export const wireLimitsPage: PromisedPage = {
  page: "docs/wire.md",
  promises: [
    {
      id: "wire.request-262-144-bytes",
      says: "a request | 262,144 bytes (`limits.requestBytes`); a larger one is refused and the channel stays",
      tests: [
        "packages/wire/test/hostile.test.ts > an asker > is refused a request over 256 KB and stays connected",
        "packages/wire/test/hostile.test.ts > an asker > and a desk too is refused a request over the limit that the hub sets",
      ],
    },
    {
      id: "wire.message-4-mb-larger",
      says: "a message | 4 MB; a larger one closes the channel",
      tests: [
        "packages/wire/test/bounds.test.ts > unless others are set, the bounds of a channel are > 4 MB for a message, above which the channel is closed",
      ],
    },
    {
      id: "wire.requests-under-way-2",
      says: "requests under way | 2,000",
      tests: ["packages/wire/test/bounds.test.ts > unless others are set, the bounds of a channel are > 2,000 requests under way"],
    },
    {
      id: "wire.changes-wait-sent-watcher",
      says: "changes that wait to be sent to a watcher | 1 MB; then they are dropped, and a snapshot comes later",
      tests: [
        "packages/wire/test/bounds.test.ts > unless others are set, the bounds of a channel are > 1 MB of changes that wait to be sent to a watcher",
        "packages/wire/test/slow-reader.test.ts > a watcher that reads too slowly > is told nothing while too much is unsent, and a fresh snapshot once there is room",
      ],
    },
    { id: "wire.1000-done", says: "1000 | done", tests: ["packages/wire/test/bounds.test.ts > the close codes are those of the page"] },
    {
      id: "wire.4000-nothing-was-heard",
      says: "4000 | nothing was heard from the other side, or replies are not being read",
      tests: [
        "packages/wire/test/bounds.test.ts > unless others are set, the bounds of a channel are > 30 s of silence",
        "packages/wire/test/slow-reader.test.ts > a watcher that reads too slowly > that goes on asking and never reads is hung up on",
        "packages/wire/test/bounds.test.ts > the close codes are those of the page",
      ],
    },
    {
      id: "wire.4001-hub-going-away",
      says: "4001 | the hub is going away: connect again",
      tests: [
        "packages/wire/test/bounds.test.ts > a hub that goes away says so, and closes with a code of its own; a token that was taken back closes with another",
      ],
    },
    {
      id: "wire.4400-message-cannot-read",
      says: "4400 | a message that cannot be read",
      tests: [
        "packages/wire/test/hostile.test.ts > a message that cannot be read > and has no id closes the channel with a reason: %s",
        "packages/wire/test/bounds.test.ts > the close codes are those of the page",
      ],
    },
    {
      id: "wire.4403-refused-token-scope",
      says: "4403 | refused: token, scope, version, or a token that was taken back",
      tests: [
        "packages/wire/test/hello.test.ts > a hello > with %s is refused and the channel closed",
        "packages/wire/test/bounds.test.ts > a hub that goes away says so, and closes with a code of its own; a token that was taken back closes with another",
        "packages/wire/test/bounds.test.ts > the close codes are those of the page",
      ],
    },
    {
      id: "wire.4408-hello-came-time",
      says: "4408 | no hello came in time",
      tests: [
        "packages/wire/test/hello.test.ts > a hello > that does not come within five seconds closes the channel",
        "packages/wire/test/bounds.test.ts > the close codes are those of the page",
      ],
    },
    {
      id: "wire.4413-message-too-large",
      says: "4413 | a message that is too large",
      tests: [
        "packages/wire/test/bounds.test.ts > unless others are set, the bounds of a channel are > 4 MB for a message, above which the channel is closed",
      ],
    },
    {
      id: "wire.client-reconnects-growing-pauses",
      says: "The client reconnects with growing pauses, 5 s at most and drawn at random, and takes its waits and watches up again.",
      tests: [
        "packages/wire/test/reconnect.test.ts > after a loss > attempts come less and less often, up to every five seconds",
        "packages/wire/test/bounds.test.ts > the pauses between attempts are drawn at random",
        "packages/wire/test/reconnect.test.ts > after a loss > two hundred waits on one connection are attached again, and each gets its own outcome",
        "packages/wire/test/reconnect.test.ts > after a loss > a watch gets a fresh snapshot, then changes in order",
      ],
    },
    {
      id: "wire.request-waits-up-60",
      says: "A request waits up to 60 s (`patience`) for a connection.",
      tests: ["packages/wire/test/patience.test.ts > patience > ends a request a minute after the loss, and not before"],
    },
    {
      id: "wire.where-you-start-home",
      says: "Where you start from a home folder on this machine, the address is `url` of `hub.json`, with `ws` for `http` and `/ws` behind it.",
      tests: [
        "apps/hub/test/connect.test.ts > the way to the hub > starts one when none runs, and finds the one that runs",
        "apps/hub/test/lifecycle.test.ts > the hub's process > serves, tells where in files that only their owner can read, and leaves them fit for the next one",
      ],
    },
  ],
  explained: [
    {
      because: "purpose",
      why: "It names what the table explains; each row of it is promised.",
      says: ["In brackets behind each method is what a client does with a request whose connection broke before the reply:"],
    },
  ],
};
