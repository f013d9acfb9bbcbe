import type { PromisedPage } from "../promise.ts";

export const guaranteesLimitsPage: PromisedPage = {
  page: "docs/guarantees.md",
  promises: [
    {
      id: "guarantees.delivery-exactly-once-call",
      says: "**Delivery exactly once.** A call is never given an outcome twice, but a later call can be given one that an earlier call wrote to its client, when the hub or the server was killed before it knew.",
      tests: [
        "tests/faults/killed-in-traffic.test.ts > killed at random points of the traffic, the hub loses no answer, has one winner a session, hands no call an outcome twice and invents none",
        "tests/faults/history/check.test.ts > the checker of histories > lets an outcome be handed again whose handing over was never confirmed",
      ],
    },
    {
      id: "guarantees.session-id-tells-same",
      says: "The session id tells that it is the same.",
      tests: [
        "tests/faults/history/check.test.ts > the checker of histories > lets an outcome be handed again whose handing over was never confirmed",
        "packages/core/src/testing/asker-contract/waiting.ts > each of many waits gets its own session's answer",
      ],
    },
    {
      id: "guarantees.client-does-result-delivered",
      says: "**What a client does with a result.** Delivered means written to the client before it cancelled and within its known limit.",
      tests: [
        "tests/requirements/list/answers.ts > an outcome counts as delivered once its result is written",
        "packages/mcp/test/failures.test.ts > what an agent is told when askbox cannot do its part > a result written after the client's limit does not count as delivered",
      ],
    },
    {
      id: "guarantees.client-takes-bytes-dies",
      says: "A client that takes the bytes and dies has been given the answer; `askbox show` still has it.",
      tests: ["apps/askbox/test/list-and-show.test.ts > askbox show > shows who answered what, where and when"],
    },
    {
      id: "guarantees.first-5-s-after",
      says: "**The first 5 s after a call's server was killed at the very moment of its answer.** That answer may be on its way to the call, and is kept back from others for so long (8 s when the hub was killed with it).",
      tests: [
        "packages/core/src/testing/asker-contract/asking-again.ts > an outcome under way to one call is not given to another",
        "tests/faults/cancelled-call.test.ts > a call that the client cancels > at the moment of the answer gets that answer, or a later call does: never none, never both",
      ],
    },
    {
      id: "guarantees.equal-ask-within-time",
      says: "An equal ask within that time is put to the person again; the first answer comes along as `earlier[]`.",
      tests: [
        "packages/core/src/testing/asker-contract/asking-again.ts > an outcome under way to one call is not given to another",
        "tests/faults/agent-gone.test.ts > an agent's server that is ended in mid-question by $name > leaves no process behind and is shown away; its answers go to the next ask, and to get_answer",
      ],
    },
    {
      id: "guarantees.call-merely-cancelled-gives",
      says: "A call that is merely cancelled gives its answer back at once.",
      tests: [
        "packages/core/src/testing/asker-contract/asking-again.ts > an outcome that will not be written is free for the next ask at once",
        "packages/mcp/test/failures.test.ts > what an agent is told when askbox cannot do its part > an outcome whose call is cancelled before it is written goes to the next call at once",
      ],
    },
    {
      id: "guarantees.redis-itself-forgets-without",
      says: "**What Redis itself forgets.** Without `appendfsync always`, or with a failover and no `replicas` in the store's URL, its last writes can be lost; `hub status` and `doctor` say so, and `docs/deploy.md` which settings prevent it.",
      tests: [
        "packages/store-redis/test/durability.test.ts > what Redis' settings make of an answer that is never lost > is said with what to do where Redis %s",
        "tests/command/redis.test.ts > askbox hub on Redis > keeps questions there, says how safe they are, and shows the password nowhere",
      ],
    },
    {
      id: "guarantees.operation-was-under-way",
      says: "**The operation that was under way when the hub died.** Whoever sent it is told how it went once there is a hub again, or after 60 s that the hub cannot be reached; in that case it may or may not have taken effect, and looking says which.",
      tests: [
        "packages/wire/test/cut.test.ts > when all connections break at any one frame %s > there is one session with one outcome, and both sides learn it",
        "packages/wire/test/operation-memory.test.ts > what a hub remembers of operations > one that is repeated is carried out once, also while it still runs",
        "packages/wire/test/patience.test.ts > patience > ends a request a minute after the loss, and not before",
      ],
    },
    {
      id: "guarantees.last-letters-draft-draft",
      says: "**The last letters of a draft.** A draft is in the store when its saving was confirmed; what was typed since is not.",
      tests: [
        "packages/core/src/testing/desk-contract/deadlines.ts > a draft keeps the last write to each field and is erased when the session settles",
        "tests/faults/hub-killed.test.ts > a hub that is killed > leaves 100 pending sessions, their deadlines and 10 half-written drafts, and each call gets its own answer from the next hub",
      ],
    },
    {
      id: "guarantees.more-than-redis-keeps",
      says: "**More than Redis keeps.** What a server with other settings than those in [redis.md](redis.md) loses when it or its machine fails is lost; `hub status` says so beforehand.",
      tests: [
        "tests/command/redis.test.ts > askbox hub on Redis > keeps questions there, says how safe they are, and shows the password nowhere",
        "packages/store-redis/test/durability.test.ts > what Redis' settings make of an answer that is never lost > is said with what to do where Redis %s",
      ],
    },
    {
      id: "guarantees.damaged-header-when-first",
      says: "**A damaged header.** When the first bytes of the file are hit, nothing of it may be readable by askbox; the file is kept, and SQLite's own recovery tools can be tried on it.",
      tests: [
        "packages/store-sqlite/test/damage.test.ts > a damaged SQLite store > is set aside when it was cut short, emptied of sense, or is no database",
        "packages/store-sqlite/test/damage.test.ts > a damaged SQLite store > is kept beside what could be read of it, wherever the damage is",
      ],
    },
    {
      id: "guarantees.answers-after-retention-time",
      says: "**Answers after the retention time**, 90 days unless set otherwise: settled sessions are then removed, delivered or not.",
      tests: [
        "packages/core/test/broker.test.ts > retention > removes what was settled long enough ago in the background of an ask, and tells how many",
        "packages/core/src/testing/store-contract/deadlines.ts > removes the settled sessions closed before a time, and tells how many",
      ],
    },
  ],
  explained: [
    {
      because: "not promised",
      says: [
        '**A disk that lies.** "On disk" means that the operating system said so after `fsync`.',
        "A disk or a virtual machine that says so too early can lose the last answers when the power fails.",
        "The tests kill processes; they do not cut the power.",
        "**A wall clock that jumps while no hub runs.** Deadlines of sessions that were pending are then as wrong as the clock.",
        "**Two hubs on one file over a network share.** SQLite's locks, and the hub's own, need a local file system.",
        "A failover can promote a replica that did not have the last answers, unless as many replicas are waited for as there are.",
        "**The memory store.** `--store memory` promises nothing beyond its process.",
        "**A hostile process of the same user.** It can read the tokens, the store and the memory of every process here, and answer in a person's name.",
      ],
    },
  ],
};
