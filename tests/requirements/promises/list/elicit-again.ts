import type { PromisedPage } from "../promise.ts";

export const elicitAgainPage: PromisedPage = {
  page: "docs/elicit.md",
  promises: [
    {
      id: "elicit.where-answer-comes-later",
      says: "Where the answer comes with a later request, nothing of the first run is left: **the handler is run again from its start**, and each `elicit()` that was answered resolves at once with the same answer.",
      tests: [
        "packages/mcp/test/elicit/contract.test.ts > Multi-step wizards > through the model, in %s",
        "packages/mcp/test/elicit/replay.test.ts > a tool that is run again > does not go on where it was left, whatever it catches",
      ],
    },
    {
      id: "elicit.question-says-may-depend",
      says: "What a question says may depend on the arguments, on earlier answers and on `once` alone.",
      tests: [
        "packages/mcp/test/elicit/replay.test.ts > a tool that is run again > and asks something else than what was answered fails, and is not given the answer",
      ],
    },
    {
      id: "elicit.nth-question-one-was",
      says: "The nth question has to be the one that was answered, by message and schema; otherwise the call fails with `ELICITATION_CHANGED` and the answer is given to nobody.",
      tests: [
        "packages/mcp/test/elicit/replay.test.ts > a tool that is run again > and asks something else than what was answered fails, and is not given the answer",
      ],
    },
    {
      id: "elicit.must-happen-once-goes",
      says: "What must happen once goes into `once(ctx, name, work)`: it runs the first time and gives later runs the same result, as plain JSON.",
      tests: [
        "packages/mcp/test/elicit/replay.test.ts > a tool that is run again > gets the result of once() as it was, and tries again what had failed",
      ],
    },
    {
      id: "elicit.fails-tried-again",
      says: "What fails is tried again.",
      tests: [
        "packages/mcp/test/elicit/replay.test.ts > a tool that is run again > gets the result of once() as it was, and tries again what had failed",
      ],
    },
    {
      id: "elicit.run-wait-another-request",
      says: "A run that has to wait for another request stops *at* its `elicit()`: nothing after it runs, no `catch` and no `finally` either.",
      tests: ["packages/mcp/test/elicit/replay.test.ts > a tool that is run again > does not go on where it was left, whatever it catches"],
    },
    {
      id: "elicit.answer-belongs-caller-over",
      says: "An answer belongs to its caller: over HTTP the token and the MCP session, else the connection (`owner` in the options decides otherwise), with the same tool and the same arguments.",
      tests: [
        "packages/mcp/test/elicit/replay.test.ts > an elicitId > that nobody knows, is over, was used or is another's is refused with an error of its own",
        "packages/mcp/test/elicit/replay.test.ts > an elicitId > of a form cannot be answered by the model, nor with other arguments",
        "packages/mcp/test/elicit/replay.test.ts > an elicitId > belongs to whom the author says",
      ],
    },
    {
      id: "elicit.counts-once",
      says: "It counts once.",
      tests: ["packages/mcp/test/elicit/replay.test.ts > an elicitId > counts once, however many say it at the same time"],
    },
    {
      id: "elicit.elicitid-unknown-over-used",
      says: "An `elicitId` that is unknown, over, used, or somebody else's is refused with an error of its own.",
      tests: [
        "packages/mcp/test/elicit/replay.test.ts > an elicitId > that nobody knows, is over, was used or is another's is refused with an error of its own",
      ],
    },
    {
      id: "elicit.elicitationstore-two-methods-get",
      says: "`ElicitationStore` has two methods, `get` and `replace` (compare-and-set with a time to live).",
      tests: ["packages/mcp/test/elicit/store.test.ts > a store in %s > %s"],
    },
    {
      id: "elicit.keyvalueelicitationstore-makes-one-any",
      says: "`keyValueElicitationStore` makes one of any key-value service that has `get`, `set` and `add`.",
      tests: ["packages/mcp/test/elicit/store.test.ts > a store in %s > %s"],
    },
    {
      id: "elicit.redis-6-2-newer",
      says: "On Redis (6.2 or newer) or Valkey there is one ready; it passes that suite, sealed and unsealed:",
      tests: ["tests/mcp/elicit/redis-store.test.ts > what elicit() keeps %s > %s"],
    },
    {
      id: "elicit.any-process-may-take",
      says: "Any process may take the call that brings the answer.",
      tests: [
        "packages/store-redis/test/elicitation.test.ts > gives what is kept to every process, as it was kept",
        "tests/mcp/elicit/fallback.test.ts > a model that passes questions on, over %s > takes its person through three steps in %s, and the tool orders once",
      ],
    },
    {
      id: "elicit.values-end-their-time",
      says: "Values end with their time and need no sweeping.",
      tests: ["packages/store-redis/test/elicitation.test.ts > forgets a value with its time, and leaves nothing of it in Redis"],
    },
    {
      id: "elicit.person-answered-them-so",
      says: "What a person has answered is in them, so a value counts as kept when the server has it as `docs/redis.md` says; while the server is away calls fail with `STORE_UNAVAILABLE` and the client may send them again.",
      tests: [
        "packages/store-redis/test/elicitation.test.ts > has what it confirmed after Redis was killed",
        "packages/store-redis/test/elicitation.test.ts > fails with STORE_UNAVAILABLE while the server is away, and goes on when it is back",
      ],
    },
    {
      id: "elicit.give-all-processes-same",
      says: "Give all processes the same `secret`, or none.",
      tests: ["packages/mcp/test/elicit/store.test.ts > a sealed store > takes what another secret, or none, wrote for unknown"],
    },
    {
      id: "elicit.secret-records-sealed-aes-256-gcm",
      says: "With a `secret`, records are sealed with AES-256-GCM under a key derived from it by HKDF, each bound to its id.",
      tests: [
        "packages/mcp/test/elicit/store.test.ts > a sealed store > keeps nothing that can be read",
        "packages/mcp/test/elicit/store.test.ts > a sealed store > never writes the same text twice alike",
        "packages/mcp/test/elicit/store.test.ts > a sealed store > takes what was put in another's place for unknown",
        "packages/mcp/test/elicit/replay.test.ts > what is kept between two runs > is encrypted where there is a secret, in %s",
      ],
    },
    {
      id: "elicit.record-was-changed-counts",
      says: "A record that was changed counts as unknown, and the log says so.",
      tests: [
        "packages/mcp/test/elicit/store.test.ts > a sealed store > takes what was changed for unknown, and says so in the log",
        "packages/mcp/test/elicit/replay.test.ts > what is kept between two runs > counts as unknown when somebody has changed it, with a line in the log",
      ],
    },
    {
      id: "elicit.without-handler-questions-declined",
      says: 'Without a handler, questions are declined, with `by: "none"`.',
      tests: ["packages/mcp/test/elicit/contract.test.ts > Programmatic access > without a handler a question is declined, by nobody"],
    },
    {
      id: "elicit.do-mix-elicit-inputrequired",
      says: "Do not mix `elicit()` with `inputRequired()` of your own in one tool on revision 2026-07-28: the client answers one or the other.",
      tests: [
        "packages/mcp/test/elicit/replay.test.ts > a tool that is run again > beside forms of the author's own is given its answers again when the SDK begins it again",
      ],
    },
  ],
  explained: [
    {
      because: "advice",
      says: [
        "Two rules follow.",
        "Take locks and open files after the last question, or inside `once`.",
        "Prove your own with the contract suite:",
      ],
    },
  ],
};
