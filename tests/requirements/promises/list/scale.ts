import type { PromisedPage } from "../promise.ts";

export const scalePage: PromisedPage = {
  page: "docs/scale.md",
  promises: [
    {
      id: "scale.when-hub-starts-missed",
      says: "When a hub starts, or has missed a message, each tells the others whom it has waiting, 2,000 sessions a message; only what differs reaches surfaces.",
      tests: [
        "packages/core/test/cluster.test.ts > several brokers over one store > tell their surfaces nothing again when one more comes and each says again who is there",
        "packages/core/test/cluster.test.ts > a broker that was cut off from the others > is known again afterwards, with everybody who waits there",
      ],
    },
    {
      id: "scale.any-limits-1-000",
      says: "any | `limits`: 1,000 sessions for each agent id, 10 times that and 64 MB of questions for each token. They are meant to. | `limits.pending`, `limits.pendingPerToken`, `limits.pendingBytesPerToken`; a token for each team",
      tests: [
        "packages/hub/test/limits.test.ts > the number of pending sessions > is limited for each token and agent id, and settled ones make room",
        "packages/hub/test/limits.test.ts > what one token may do, whatever agent ids it is used with > is 10 times what one agent id may have pending, and settled ones make room",
        "packages/hub/test/limits.test.ts > what one token may do, whatever agent ids it is used with > is so many bytes of pending questions, counted over a restart too",
      ],
    },
    {
      id: "scale.watch-filter-list-project",
      says: "A watch with a filter, and a list by project, client or text, look through all pending sessions (Redis stops after 20,000 for each page and goes on from there).",
      tests: [
        "packages/store-redis/test/places.test.ts > the Redis store > looks through a bounded part of a long history at once, and says where to go on",
      ],
    },
    {
      id: "scale.hub-was-cut-off",
      says: "A hub that was cut off from Redis writes again whose calls wait at it, one small script for each, all at once.",
      tests: [
        "packages/core/test/cluster.test.ts > a broker that was cut off from the others > is known again afterwards, with everybody who waits there",
      ],
    },
    {
      id: "scale.hub-dies-forgotten-after",
      says: "A hub that dies is forgotten after 8 s; each other hub with surfaces then reads every session whose call waited there, once.",
      tests: ["packages/core/test/cluster.test.ts > a broker that is killed > leaves nobody present for longer than 10 s"],
    },
    {
      id: "scale.does-asking-equal-ask",
      says: "What does not: asking (an equal ask is found by its digest), answering, waiting, counting for the limits, a sweep of old sessions that finds nothing, and a page of the newest.",
      tests: [
        "packages/store-sqlite/test/plans.test.ts > the SQLite store's plans > search an index for everything that an ask and its answer need",
        "packages/store-sqlite/test/plans.test.ts > the SQLite store's plans > never walk through settled sessions to find pending or undelivered ones",
      ],
    },
  ],
  explained: [
    {
      because: "purpose",
      says: [
        "What a pending session, an answer and a connected surface cost, where the first limit is as their number grows, and what moves it.",
      ],
    },
    {
      because: "advice",
      says: [
        "The figures come from a simulation that drives the hub's own broker and store; run it for your machine:",
        "What grows with the number of pending sessions and could be felt, besides:",
      ],
    },
    {
      because: "measured",
      says: [
        "Each size and store runs in a process of its own, bounded by `--heap` (MB) and `--minutes`; Redis is a server of the simulation's own.",
        "A session is a set of 650 bytes of questions from one of 100 agents, and no two are equal.",
        "A surface watches over the hub's own protocol; what it is sent is counted and thrown away, so that the hub's side alone is measured.",
        "22 November 2026, 2 cores of an AMD EPYC that had other work to do as well (load 6 to 17), Node 24.21, Redis 7.0 on the same cores.",
        "Times and rates are therefore rather too bad than too good, and differ by a factor of two or three from run to run; bytes do not depend on that.",
        "`1/s` is asks of one hub; `–` was not measured.",
        "**A pending session** costs the hub what the table says, and Redis 2.3 to 2.9 KB, and 0.1 KB for its call, beside a record of 1.1 KB: the rest is what it is looked up by and its place in the feed.",
        "With SQLite the record is on disk; `pnpm bench pending` bounds the heap of a whole hub's session with its call at 4 KB.",
        "**Deadlines** are a heap with one timer.",
        'A hub that starts reads what is pending and puts it in: the row "another hub starts over it".',
        "**An answer** costs the same whatever is pending, but for the memory store, where one to an *old* session also moves what is younger: the rows with surfaces answer the oldest, and were measured before that was halved.",
        "To each further surface it is one more write of the same text, which is made once: some 5 µs and 3.4 KB for two changes, the answer and its delivery.",
        "**A surface that connects** is told all that is pending in one snapshot of 0.9 KB a session, and the hub does nothing else while it makes it into text.",
        "**Heartbeats** of hubs are one message and one write every two seconds, whatever is pending.",
      ],
    },
    {
      because: "measured",
      why: "The rows say what one run came to on the way up, with the command that makes such a run.",
      says: [
        "10⁴ | nothing: some 65 MB of heap beyond an empty hub's. A surface has its 9 MB in a fraction of a second, over Redis in a second. A search of all text over Redis takes about as long. | ",
        "10⁵ | **the snapshot**: 91 MB for each surface that connects, read in two to six seconds and made into text in 0.3 to 1.3 s, during which that hub answers nobody else; a hub whose Redis was away reads all heads again. No person reads such a list. Then the hub's memory: 630 MB of heap with the memory store, 430 MB with Redis. | watch one `project` or `agentId` (the text is then small; over Redis all pending are still read); a `space` for each team; surfaces at a hub of their own, askers at others; `NODE_OPTIONS=--max-old-space-size` before the heap meets Node's own limit (2 to 4 GB)",
        "3 × 10⁵ | **surfaces cannot connect**: the snapshot has 275 MB, and the command's clients take messages of up to 256 MB (280,000 such sessions); some 550,000 on the text is longer than the 512 MB that Node makes of one. The watch fails; asking, answering by id, listing in pages and waiting go on. | as above; there is no way around it in one space today",
        "10⁶, extrapolated | one process: 6.4 GB of heap with the memory store in one hub that has all of the calls, 4.3 GB with Redis, and at 700 to 3,000 asks a second 6 to 24 minutes to fill it. Redis: 2.5 to 3 GB in one node, since a space's keys stay together. | ten spaces of 10⁵, each with two hubs, on one Redis or several; a hub for each 10⁵ calls that wait",
      ],
    },
    {
      because: "measured",
      why: "How many calls fit a second was measured; that such a call fails and is told so is promised in docs/redis.md.",
      says: [
        "The memory store moves pointers for each settled session, one for each that is younger.",
        "So many calls that come back to one hub at once, each with one look and one small script, wait for its one connection: at 100,000 in the same moment some of them longer than the 5 s a command may take; those fail with `STORE_UNAVAILABLE`.",
      ],
    },
  ],
};
