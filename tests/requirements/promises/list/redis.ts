import type { PromisedPage } from "../promise.ts";

export const redisPage: PromisedPage = {
  page: "docs/redis.md",
  promises: [
    {
      id: "redis.several-hubs-over-one",
      says: "Several hubs over one Redis (6.2 or newer) or Valkey are one inbox: a question that is asked at one is shown, answered and returned at any.",
      tests: [
        "tests/cluster/redis-faults.test.ts > a question asked at one hub is seen at another, answered at a third and returned at the first",
        "packages/core/test/cluster.test.ts > several brokers over one store > are one inbox: asked at the first, seen at the second, answered at the third, returned at the first",
      ],
    },
    {
      id: "redis.put-url-into-askbox",
      says: "Put the URL into `ASKBOX_STORE` or `config.json`, or the password into a file: `redis://askbox@redis.local/0?passwordfile=/run/secrets/redis`.",
      tests: [
        "packages/store-redis/test/places.test.ts > the Redis store > reads a password from a file",
        "packages/store-redis/test/redis-url.test.ts > the URL of a Redis store > names a password file that cannot be read",
        "tests/command/redis.test.ts > askbox hub on Redis > keeps questions there, says how safe they are, and shows the password nowhere",
      ],
    },
    {
      id: "redis.no-log-status-error",
      says: "No log, status or error shows user or password.",
      tests: [
        "tests/command/redis.test.ts > askbox hub on Redis > keeps questions there, says how safe they are, and shows the password nowhere",
        "packages/store-redis/test/redis-url.test.ts > the URL of a Redis store > %s is refused in a sentence without the secret",
      ],
    },
    {
      id: "redis.redis-user-password-host",
      says: "`redis://[user][:password]@host[:port][/database]` | one server",
      tests: ["packages/store-redis/test/redis-url.test.ts > the URL of a Redis store > %s is understood"],
    },
    {
      id: "redis.rediss-same-over-tls",
      says: "`rediss://…` | the same over TLS",
      tests: [
        "packages/store-redis/test/places.test.ts > the Redis store > is reached over TLS with a certificate of one's own authority, and not without",
      ],
    },
    {
      id: "redis.redis-unix-path-redis",
      says: "`redis+unix:///path/to/redis.sock?db=0` | one server over a unix socket",
      tests: [
        "packages/store-redis/test/places.test.ts > the Redis store > is reached over a unix socket, as a user with no more rights than it needs",
      ],
    },
    {
      id: "redis.redis-sentinel-user-password",
      says: "`redis+sentinel://[user][:password]@host:port,host:port/master[/database]` | the master that these sentinels name",
      tests: [
        "packages/store-redis/test/failover.test.ts > a store whose master fails > goes on with the replica, which has every change that was confirmed",
      ],
    },
    {
      id: "redis.redis-cluster-user-password",
      says: "`redis+cluster://[user][:password]@host:port,host:port` | a cluster; each space lies on one of its nodes",
      tests: [
        "packages/store-redis/test/places.test.ts > the Redis store on a cluster > has all keys of a space in one slot, and keeps every promise there",
      ],
    },
    {
      id: "redis.valkey-stands-redis-everywhere",
      says: "`valkey` stands for `redis` everywhere, `rediss+sentinel` and `rediss+cluster` are over TLS.",
      tests: ["packages/store-redis/test/redis-url.test.ts > the URL of a Redis store > %s is understood"],
    },
    {
      id: "redis.odd-password-written",
      says: "What is odd in a password is written with `%`.",
      tests: ["packages/store-redis/test/redis-url.test.ts > the URL of a Redis store > %s is understood"],
    },
    {
      id: "redis.prefix-space-all-keys",
      says: "`prefix` | the space: what all keys begin with. Hubs with the same prefix and database are one inbox | `askbox`",
      tests: [
        "packages/store-redis/test/redis-url.test.ts > the URL of a Redis store > %s is understood",
        "packages/store-redis/test/places.test.ts > the Redis store > keeps spaces apart: by prefix and by database",
      ],
    },
    {
      id: "redis.replicas-how-many-replicas",
      says: "`replicas` | how many replicas must confirm a change; 0 for none | 1 where the server has any",
      tests: [
        "packages/store-redis/test/durability.test.ts > what Redis' settings make of an answer that is never lost > waits for one replica where there is any, for as many as were asked for, and says so where it is told not to",
        "packages/store-redis/test/redis-url.test.ts > the URL of a Redis store > %s is understood",
      ],
    },
    {
      id: "redis.timeout-milliseconds-change-may",
      says: "`timeout` | milliseconds that a change may take before it is given up | 5000",
      tests: [
        "packages/store-redis/test/redis-url.test.ts > the URL of a Redis store > %s is understood",
        "packages/store-redis/test/away.test.ts > a store that is cut off from Redis > refuses every change with a sentence, tells nobody of it, and goes on by itself",
      ],
    },
    {
      id: "redis.passwordfile-file-password",
      says: "`passwordfile` | a file with the password | ",
      tests: [
        "packages/store-redis/test/redis-url.test.ts > the URL of a Redis store > %s is understood",
        "packages/store-redis/test/places.test.ts > the Redis store > reads a password from a file",
      ],
    },
    {
      id: "redis.cafile-certfile-keyfile-servername",
      says: "`cafile`, `certfile`, `keyfile`, `servername` | files in PEM and the server's name, for TLS | the system's authorities",
      tests: [
        "packages/store-redis/test/redis-url.test.ts > the URL of a Redis store > %s is understood",
        "packages/store-redis/test/places.test.ts > the Redis store > is reached over TLS with a certificate of one's own authority, and not without",
      ],
    },
    {
      id: "redis.sentineluser-sentinelpassword-sentinelpasswordfile-sentinels",
      says: "`sentineluser`, `sentinelpassword`, `sentinelpasswordfile` | for the sentinels, which have users of their own | ",
      tests: ["packages/store-redis/test/redis-url.test.ts > the URL of a Redis store > %s is understood"],
    },
    {
      id: "redis.askbox-tells-person-sent",
      says: 'askbox tells a person "sent" when an answer cannot be lost any more.',
      tests: [
        "packages/store-redis/test/writer.test.ts > confirming a write > waits for the disk with WAITAOF, and for replicas with WAIT, after the write and on its connection",
        "packages/store-redis/test/away.test.ts > a Redis that is restarted > has every change that was confirmed, killed in the middle of them",
      ],
    },
    {
      id: "redis.replicas-askbox-also-waits",
      says: 'With replicas, askbox also waits for one of them (`WAIT`) before it says "sent".',
      tests: [
        "packages/store-redis/test/writer.test.ts > confirming a write > waits for the disk with WAITAOF, and for replicas with WAIT, after the write and on its connection",
        "packages/store-redis/test/durability.test.ts > what Redis' settings make of an answer that is never lost > waits for one replica where there is any, for as many as were asked for, and says so where it is told not to",
      ],
    },
    {
      id: "redis.askbox-hub-status-readyz",
      says: "`askbox hub status`, `/readyz` and `askbox doctor` say what the settings of your server come to:",
      tests: [
        "tests/command/redis.test.ts > askbox hub on Redis > keeps questions there, says how safe they are, and shows the password nowhere",
        "packages/store-redis/test/durability.test.ts > what Redis' settings make of an answer that is never lost > is said with what to do where Redis %s",
      ],
    },
    {
      id: "redis.appendfsync-always-nothing-was",
      says: "`appendfsync always` | nothing that was confirmed, when Redis or its machine fails",
      tests: [
        "packages/store-redis/test/durability.test.ts > what Redis' settings make of an answer that is never lost > is on disk with an append-only file that is synced with each write",
        "packages/store-redis/test/away.test.ts > a Redis that is restarted > has every change that was confirmed, killed in the middle of them",
      ],
    },
    {
      id: "redis.appendfsync-everysec-before-7",
      says: "`appendfsync everysec` before 7.2 | up to two seconds of answers, when the machine fails; nothing, when only Redis does",
      tests: [
        "packages/store-redis/test/durability.test.ts > what Redis' settings make of an answer that is never lost > is said with what to do where Redis %s",
      ],
    },
    {
      id: "redis.appendonly-no-everything-since",
      says: "`appendonly no` | everything since the last snapshot",
      tests: [
        "packages/store-redis/test/durability.test.ts > what Redis' settings make of an answer that is never lost > is said with what to do where Redis %s",
      ],
    },
    {
      id: "redis.allkeys-policy-maxmemory-whole",
      says: "an `allkeys-…` policy with a `maxmemory` | the whole inbox, at any time",
      tests: [
        "packages/store-redis/test/durability.test.ts > what Redis' settings make of an answer that is never lost > is said with what to do where Redis %s",
      ],
    },
    {
      id: "redis.replicas-replicas-0-had",
      says: "replicas with `replicas=0` | what had not been replicated, in a failover",
      tests: [
        "packages/store-redis/test/durability.test.ts > what Redis' settings make of an answer that is never lost > waits for one replica where there is any, for as many as were asked for, and says so where it is told not to",
      ],
    },
    {
      id: "redis.without-info-config-get",
      says: "Without `+info` and `+config|get` everything works, and askbox says that it does not know the settings.",
      tests: [
        "packages/store-redis/test/durability.test.ts > asking a server for its settings > goes on where it may ask nothing, and says what was refused",
        "packages/store-redis/test/places.test.ts > the Redis store > is reached over a unix socket, as a user with no more rights than it needs",
      ],
    },
    {
      id: "redis.nothing-queued",
      says: "Nothing is queued.",
      tests: [
        "packages/store-redis/test/away.test.ts > a store that is cut off from Redis > refuses every change with a sentence, tells nobody of it, and goes on by itself",
        "packages/store-redis/test/away.test.ts > a Redis that is paused > makes no change that its writer was told is not made, and the store goes on",
      ],
    },
    {
      id: "redis.answer-question-sent-then",
      says: "An answer or a question that is sent then is refused with a sentence, and nobody is told that it was sent; what was typed stays.",
      tests: [
        "packages/store-redis/test/away.test.ts > a store that is cut off from Redis > refuses every change with a sentence, tells nobody of it, and goes on by itself",
        "tests/cluster/redis-faults.test.ts > a Redis that is restarted, or stops for a while, refuses what is sent meanwhile, and everything goes on",
      ],
    },
    {
      id: "redis.calls-wait-go-waiting",
      says: "Calls that wait go on waiting.",
      tests: [
        "tests/cluster/redis-faults.test.ts > a Redis that is restarted, or stops for a while, refuses what is sent meanwhile, and everything goes on",
      ],
    },
    {
      id: "redis.when-redis-back-each",
      says: "When Redis is back, each hub reads what is pending again and tells what changed meanwhile.",
      tests: [
        "packages/store-redis/test/away.test.ts > a store that is cut off from Redis > tells what others changed meanwhile as soon as it is back: new, settled, and settled and removed",
      ],
    },
    {
      id: "redis.change-was-under-way",
      says: "A change that was under way at that moment is looked for under its own name; where that cannot be told within the timeout, the message says so, and looking says which.",
      tests: [
        "packages/store-redis/test/away.test.ts > a change whose reply was lost > is found to have been made, once, by whoever made it",
        "packages/store-redis/test/writer.test.ts > confirming a write > is tried again under the same name when its reply was lost, and once more waited for",
      ],
    },
    {
      id: "redis.hub-whose-redis-away",
      says: "A hub whose Redis is away is not ready (`/readyz` says 503) and lives on.",
      tests: [
        "packages/hub/test/access.test.ts > the hub's health > is not ready while its store is away, and says so without telling where that is",
        "tests/command/redis.test.ts > askbox hub on Redis > keeps questions there, says how safe they are, and shows the password nowhere",
      ],
    },
    {
      id: "redis.eight-keys-sessions-prefix",
      says: "Eight keys for sessions (`{PREFIX}:sessions`, `index`, `deadlines`, `closings`, `names`, `drafts`, `changes`, `meta`), and short-lived ones under `{PREFIX}:shared:` and `{PREFIX}:count:`, and under `{PREFIX}:elicit:` the calls of servers that use `elicit()` with `openRedisElicitation`.",
      tests: [
        "packages/store-redis/test/places.test.ts > the Redis store > leaves nothing behind but its eight keys, whatever is asked",
        "packages/store-redis/test/elicitation.test.ts > forgets a value with its time, and leaves nothing of it in Redis",
      ],
    },
    {
      id: "redis.deleting-eight-deletes-inbox",
      says: "Deleting the eight deletes the inbox.",
      tests: ["packages/store-redis/test/places.test.ts > the Redis store > leaves nothing behind but its eight keys, whatever is asked"],
    },
    {
      id: "redis.settled-sessions-removed-after",
      says: "Settled sessions are removed after the retention time; the feed repeats some 4,096 changes, and drops with each sweep what is older than ten minutes.",
      tests: [
        "packages/core/test/broker.test.ts > retention > removes what was settled long enough ago in the background of an ask, and tells how many",
        "packages/store-redis/test/places.test.ts > the Redis store > repeats the last changes, some 4,096, and drops with each sweep what is older than ten minutes",
      ],
    },
  ],
  explained: [
    {
      because: "purpose",
      says: ["A password in `--store` would be seen by everybody who can list processes."],
    },
    {
      because: "advice",
      says: [
        "On Redis that is up to Redis' settings:",
        "On 7.2 and newer add `+waitaof`; on a cluster `+cluster|slots +cluster|keyslot`.",
        "With Sentinel the user is needed on every server, and on the sentinels one that may `SENTINEL get-master-addr-by-name`.",
        "Back up as Redis says: a copy of its append-only file or snapshot holds everything.",
      ],
    },
    {
      because: "elsewhere",
      why: "What Sentinel promotes is Sentinel's choice; the sentence says how to keep it from choosing wrong.",
      says: [
        "Sentinel may still promote another that did not have the answer: with more than one replica set `replicas` to their number less one, or to all of them, and on the master `min-replicas-to-write`.",
      ],
    },
  ],
};
