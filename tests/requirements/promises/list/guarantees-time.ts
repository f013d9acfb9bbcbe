import type { PromisedPage } from "../promise.ts";

export const guaranteesTimePage: PromisedPage = {
  page: "docs/guarantees.md",
  promises: [
    {
      id: "guarantees.deadline-neither-comes-sooner",
      says: "A deadline neither comes sooner nor later when the wall clock jumps while the hub runs.",
      tests: [
        "tests/faults/deadlines.test.ts > a deadline > passes when its time is over, neither sooner nor later, when the wall clock moves $jump",
        "packages/core/test/broker.test.ts > a wall clock that jumps > an hour %s neither hastens nor delays a deadline",
      ],
    },
    {
      id: "guarantees.typing-holds-30-s",
      says: "Typing holds it: 30 s after the last key, 120 s in all.",
      tests: [
        "tests/faults/deadlines.test.ts > a deadline > waits for a person who is typing, and takes the answer after it has passed",
        "packages/core/src/testing/desk-contract/deadlines.ts > typing holds the deadline for a while, but not for ever",
      ],
    },
    {
      id: "guarantees.after-timeout-person-can",
      says: "After a timeout a person can still reply; the reply goes to the agent's next call, and the timeout stands.",
      tests: [
        "packages/core/src/testing/desk-contract/deadlines.ts > a reply is taken after a timeout alone, and once",
        "packages/core/src/testing/asker-contract/asking-again.ts > a reply after the deadline is told as an earlier outcome, once delivered no more",
        "tests/faults/deadlines.test.ts > a deadline > waits for a person who is typing, and takes the answer after it has passed",
      ],
    },
    {
      id: "guarantees.when-disk-full-fails",
      says: "When the disk is full, fails or is read-only, the answerer gets an error that says what to do, the session stays open, and nobody is told of anything that did not happen.",
      tests: [
        "tests/faults/disk.test.ts > a disk that takes nothing > because it is full: the answerer gets an error, nothing claims success, and the hub recovers when space returns",
        "tests/faults/disk.test.ts > a disk that takes nothing > because it fails: the answerer gets an error, nothing claims success, and the hub recovers with it",
        "tests/faults/disk.test.ts > a disk that takes nothing > because it is read-only: everybody is told so in a sentence, and what was there is there once it can be written",
      ],
    },
    {
      id: "guarantees.when-there-space-again",
      says: "When there is space again, the same hub goes on.",
      tests: [
        "tests/faults/disk.test.ts > a disk that takes nothing > because it is full: the answerer gets an error, nothing claims success, and the hub recovers when space returns",
        "packages/store-sqlite/test/writing.test.ts > writing to the SQLite store > refuses everything while the disk is full, tells nobody of it, and goes on when space returns",
      ],
    },
    {
      id: "guarantees.where-temporary-files-live",
      says: "Where temporary files live makes no difference.",
      tests: [
        "tests/faults/disk.test.ts > a disk that takes nothing > TMPDIR on another device changes nothing: hubs start, are killed and go on, and all files are the owner's alone",
      ],
    },
    {
      id: "guarantees.redis-same-promises-hold",
      says: "On Redis the same promises hold as far as its settings let them ([which](redis.md#settings-that-keep-answers)).",
      tests: [
        "packages/store-redis/test/places.test.ts > the Redis store on a cluster > has all keys of a space in one slot, and keeps every promise there",
        "packages/store-redis/test/contract.test.ts > the Redis store > $contractCase.name",
        "tests/cluster/killed-in-traffic.test.ts > of three hubs over one Redis, killed at random points of the traffic, none loses an answer, gives a session two winners, hands a call an outcome twice or invents one",
      ],
    },
    {
      id: "guarantees.while-restarted-paused-cut",
      says: "While it is restarted, paused, cut off from one hub or failed over, changes are refused with a sentence and nobody is told that anything was sent; nothing is queued.",
      tests: [
        "tests/cluster/redis-faults.test.ts > a Redis that is restarted, or stops for a while, refuses what is sent meanwhile, and everything goes on",
        "tests/cluster/redis-faults.test.ts > a hub that is cut off from the Redis refuses, while the others go on; then its own calls get their answers",
        "tests/cluster/redis-faults.test.ts > a Redis that fails over to its replica keeps every answer that was acknowledged",
        "packages/store-redis/test/away.test.ts > a store that is cut off from Redis > refuses every change with a sentence, tells nobody of it, and goes on by itself",
        "packages/store-redis/test/away.test.ts > a Redis that is paused > makes no change that its writer was told is not made, and the store goes on",
      ],
    },
    {
      id: "guarantees.change-whose-reply-was",
      says: "A change whose reply was lost is recognised as one's own, and one that was given up is never made afterwards.",
      tests: [
        "packages/store-redis/test/away.test.ts > a change whose reply was lost > is found to have been made, once, by whoever made it",
        "packages/store-redis/test/away.test.ts > a change whose reply was lost > is not taken for another's",
        "packages/store-redis/test/away.test.ts > a Redis that is paused > makes no change that its writer was told is not made, and the store goes on",
      ],
    },
    {
      id: "guarantees.when-redis-back-every",
      says: "When Redis is back, every hub tells what changed meanwhile.",
      tests: [
        "packages/store-redis/test/away.test.ts > a store that is cut off from Redis > tells what others changed meanwhile as soon as it is back: new, settled, and settled and removed",
      ],
    },
    {
      id: "guarantees.hub-starts-damaged-file",
      says: "A hub starts on a damaged file, takes over each session whose checksum holds, and keeps the damaged file under another name; it never deletes it.",
      tests: [
        "tests/faults/damaged-store.test.ts > with a byte of its store damaged, a hub starts, has every answer that can be read, and keeps the damaged file beside it",
        "packages/store-sqlite/test/damage.test.ts > a damaged SQLite store > is kept beside what could be read of it, wherever the damage is",
      ],
    },
    {
      id: "guarantees.log-says-so",
      says: "The log says so.",
      tests: [
        "tests/faults/damaged-store.test.ts > with a byte of its store damaged, a hub starts, has every answer that can be read, and keeps the damaged file beside it",
      ],
    },
    {
      id: "guarantees.only-file-names-newer",
      says: "Only a file that names a newer format, or another program, is left alone and refused.",
      tests: [
        "packages/store-sqlite/test/opening.test.ts > opening a SQLite store > refuses a store of a newer askbox and leaves it untouched",
        "packages/store-sqlite/test/opening.test.ts > opening a SQLite store > refuses another program's database and leaves it untouched",
        "tests/faults/damaged-store.test.ts > with its store's version damaged, a hub takes it for that of a newer askbox: it says so, and changes nothing",
      ],
    },
    {
      id: "guarantees.hub-serves-own-version",
      says: "A hub serves its own version of the wire protocol and the one before.",
      tests: [
        "tests/faults/versions.test.ts > a hub and a client of different versions > a hub one version newer serves the command and the agents of this version whole",
      ],
    },
    {
      id: "guarantees.everybody-else-refused-sentence",
      says: "Everybody else is refused with a sentence that says which of the two to update, and nothing is asked or answered half.",
      tests: [
        "tests/faults/versions.test.ts > a hub and a client of different versions > a newer client, or one two versions older, is told by the hub in a sentence what to do; its own version is served",
        "tests/faults/versions.test.ts > a hub and a client of different versions > a hub two versions newer refuses the command and the agents of this version, who say what to do",
      ],
    },
  ],
  explained: [],
};
