import type { PromisedPage } from "../promise.ts";

export const deployPage: PromisedPage = {
  page: "docs/deploy.md",
  promises: [
    {
      id: "deploy.team-whose-agents-run",
      says: "For a team whose agents run on servers and in CI, run two or more hubs over one Redis or Valkey, behind any balancer: a question asked at one blocks there, shows in a browser at another, is answered at a third, and returns at the first.",
      tests: [
        "tests/cluster/redis-faults.test.ts > a question asked at one hub is seen at another, answered at a third and returned at the first",
      ],
    },
    {
      id: "deploy.hub-dies-takes-nothing",
      says: "A hub that dies takes nothing with it.",
      tests: [
        "tests/cluster/redis-faults.test.ts > a hub that is killed while 1,000 calls wait at it loses none: each goes on at another and gets its own answer",
      ],
    },
    {
      id: "deploy.rediss-tls-redis-sentinel",
      says: "`rediss://` is TLS, `redis+sentinel://s1:26379,s2:26379/mymaster` asks Sentinels, `redis+cluster://n1:6379,n2:6379` a cluster; `valkey` may stand for `redis`.",
      tests: ["packages/store-redis/test/redis-url.test.ts > the URL of a Redis store > %s is understood"],
    },
    {
      id: "deploy.askbox-hub-status-names",
      says: "`askbox hub status` names the other hubs, and says what Redis' settings make of the promise that no answer is lost; `askbox doctor` says what to set.",
      tests: [
        "tests/cluster/one-inbox.test.ts > askbox hub status names the other hubs of the inbox, and a hub has six connections to Redis",
        "tests/command/redis.test.ts > askbox hub on Redis > keeps questions there, says how safe they are, and shows the password nowhere",
        "tests/command/hub-and-config.test.ts > askbox doctor > says what is wrong and how to fix it, and exits with 1",
      ],
    },
    {
      id: "deploy.questions-answers-deadlines-drafts",
      says: "questions, answers, deadlines, drafts, answers that are held back for undo | the store | another goes on with them; a held-back answer is sent on time",
      tests: [
        "packages/core/test/cluster.test.ts > an answer that is held back at one broker > is sent by another when that one is killed",
        "packages/core/test/broker.test.ts > a broker that is started again > keeps deadlines: what is overdue expires, the rest goes on",
      ],
    },
    {
      id: "deploy.waits-open-each-hub",
      says: "who waits, who has what open | each hub tells the others | shown for at most 10 s longer",
      tests: ["packages/core/test/cluster.test.ts > a broker that is killed > leaves nobody present for longer than 10 s"],
    },
    {
      id: "deploy.call-being-handed-outcome",
      says: "which call is being handed an outcome | a lease for each session | free for others after at most 8 s",
      tests: [
        "packages/core/test/cluster.test.ts > a broker that is killed > leaves what it was handing to a call free for others within 8 s",
      ],
    },
    {
      id: "deploy.browsers-logged-login-links",
      says: "browsers that have logged in, login links, named tokens, agents known by id, rates of asks and logins | the store's space | nothing changes",
      tests: [
        "packages/hub/test/cluster.test.ts > hubs that share an inbox > let a browser in at one with a link of another, and know it at each",
        "packages/hub/test/cluster.test.ts > hubs that share an inbox > log a browser out at all when it is logged out at one, and hang up on it there",
        "packages/hub/test/cluster.test.ts > hubs that share an inbox > take each other's named tokens, and none that was revoked at one, and hang up on it",
        "packages/hub/test/cluster.test.ts > hubs that share an inbox > count asks and attempts to log in together",
        "tests/cluster/one-inbox.test.ts > an agent that is registered at one hub is known at another, which shares its two tokens with it",
      ],
    },
    {
      id: "deploy.space-s-two-own",
      says: "the space's two own tokens, in each home's `hub.json` and `desk.json` | the store's space | nothing changes",
      tests: [
        "tests/cluster/one-inbox.test.ts > an agent that is registered at one hub is known at another, which shares its two tokens with it",
      ],
    },
    {
      id: "deploy.mcp-sessions-revisions-before",
      says: "MCP sessions of revisions before 2026-07-28, and their calls under way | the store's space, without tokens: a session until it is unused for a day, a call for as long as it runs and 10 minutes more | its requests are served by any hub; a call whose client resumes its stream goes on at that hub after at most 10 s, with the question that is open",
      tests: [
        "apps/mcp-http/test/mcp-cluster.test.ts > an MCP session of an older revision at several hubs > goes on at a hub that did not begin it, for its owner alone, and no token is kept for that",
        "apps/mcp-http/test/mcp-cluster.test.ts > an MCP session of an older revision at several hubs > ends with its token, wherever that is revoked, and nothing of it is kept",
        "apps/mcp-http/test/mcp-cluster.test.ts > a call whose hub is lost > is late for its client as it was: what came of it before counts",
        "apps/mcp-http/test/mcp-cluster.test.ts > a call whose hub is lost > goes on at another hub that its stream is resumed at, with one question and one result, delivered once it is written",
      ],
    },
    {
      id: "deploy.hubs-whose-clocks-differ",
      says: "Hubs whose clocks differ by more than 2 s say so in log and status.",
      tests: [
        "packages/core/test/cluster.test.ts > a hub of another version or with a wrong clock > whose clocks differ by more than 2 s is known, and said once in the log",
      ],
    },
    {
      id: "deploy.webhooks-told-one-hub",
      says: "Webhooks are told by one hub for each event.",
      tests: ["packages/webhooks/test/restart.test.ts > webhooks over a restart of the hub > leave to another hub what it has claimed"],
    },
    {
      id: "deploy.appendonly-yes-appendfsync-always",
      says: "`appendonly yes` and `appendfsync always` | an answer is on disk before anybody is told that it was sent",
      tests: [
        "packages/store-redis/test/durability.test.ts > what Redis' settings make of an answer that is never lost > is on disk with an append-only file that is synced with each write",
      ],
    },
    {
      id: "deploy.maxmemory-policy-noeviction-redis-never",
      says: "`maxmemory-policy noeviction` | Redis never throws a question away to make room",
      tests: [
        "packages/store-redis/test/durability.test.ts > what Redis' settings make of an answer that is never lost > does not take evicting what has an end, or nothing at all, for a danger",
        "packages/store-redis/test/durability.test.ts > what Redis' settings make of an answer that is never lost > is said with what to do where Redis %s",
      ],
    },
    {
      id: "deploy.replicas-1-store-s",
      says: "`?replicas=1` in the store's URL | an answer is on a replica, too, before anybody is told: a failover then loses none",
      tests: [
        "packages/store-redis/test/failover.test.ts > a store whose master fails > refuses changes when as many replicas as were asked for do not confirm them",
        "packages/store-redis/test/failover.test.ts > a store whose master fails > goes on with the replica, which has every change that was confirmed",
      ],
    },
    {
      id: "deploy.while-redis-away-everything",
      says: 'While Redis is away everything that would write is refused with `STORE_UNAVAILABLE`, and nobody is told "sent"; calls that wait go on waiting, and everything resumes when it is back.',
      tests: [
        "packages/store-redis/test/away.test.ts > a store that is cut off from Redis > refuses every change with a sentence, tells nobody of it, and goes on by itself",
        "tests/cluster/redis-faults.test.ts > a Redis that is restarted, or stops for a while, refuses what is sent meanwhile, and everything goes on",
      ],
    },
    {
      id: "deploy.healthz-says-process-lives",
      says: "`/healthz` says that the process lives, `/readyz` that it can do its work: 503 while the store is away or the hub closes.",
      tests: [
        "packages/hub/test/access.test.ts > the hub's health > is open to all and proves who it is to one who knows the secret",
        "packages/hub/test/access.test.ts > the hub's health > is not ready while its store is away, and says so without telling where that is",
        "packages/hub/test/access.test.ts > the hub's health > is not ready while the hub closes: it says so, or nobody answers any more",
      ],
    },
    {
      id: "deploy.clients-take-balancer-s",
      says: "Clients take the balancer's address as their hub: `ASKBOX_HUB=https://askbox.example.com` and a token of their own, made with `askbox token`.",
      tests: ["tests/command/remote-hub.test.ts > every command works at another hub, and none is started here"],
    },
    {
      id: "deploy.space-own-inbox-tokens",
      says: "A space has its own inbox, tokens, browsers, agents and limits, under its own prefix in Redis; a hub serves one space, so that there is nothing in it that could mix two up.",
      tests: [
        "tests/cluster/redis-faults.test.ts > teams that share a Redis see nothing of each other",
        "packages/store-redis/test/places.test.ts > the Redis store > keeps spaces apart: by prefix and by database",
        "packages/store-redis/test/shared.test.ts > what hubs share on Redis > is each space's own",
        "packages/hub/test/cluster.test.ts > hubs that share an inbox > know nothing of another team's browsers, links and tokens",
      ],
    },
    {
      id: "deploy.redis-holds-pending-was",
      says: "Redis holds what is pending and what was settled in the retention time (90 days); `INFO memory` says how much that is.",
      tests: [
        "packages/core/test/broker.test.ts > retention > removes what was settled long enough ago in the background of an ask, and tells how many",
      ],
    },
    {
      id: "deploy.hub-six-connections",
      says: "A hub has six connections to it.",
      tests: [
        "tests/cluster/one-inbox.test.ts > askbox hub status names the other hubs of the inbox, and a hub has six connections to Redis",
      ],
    },
    {
      id: "deploy.clients-go-others-meanwhile",
      says: "Its clients go to the others meanwhile.",
      tests: [
        "tests/cluster/redis-faults.test.ts > a hub that is killed while 1,000 calls wait at it loses none: each goes on at another and gets its own answer",
      ],
    },
    {
      id: "deploy.hubs-two-neighbouring-versions",
      says: "Hubs of two neighbouring versions may run beside each other.",
      tests: [
        "packages/core/test/cluster.test.ts > a hub of another version or with a wrong clock > leaves alone what only a newer one tells, and goes on",
        "tests/faults/versions.test.ts > a hub and a client of different versions > a hub one version newer serves the command and the agents of this version whole",
        "packages/core/test/record.test.ts > reading a stored session > gives back what it was given",
        "packages/core/test/questions/unknown.test.ts > a question of a type that only a newer askbox knows > is itself again for the version that knows it",
      ],
    },
  ],
  explained: [
    {
      because: "purpose",
      says: ["One hub on a machine needs nothing of this page."],
    },
    {
      because: "advice",
      why: "It tells how to keep a password from other users of the machine, which askbox cannot do for one on a command line.",
      says: [
        "A URL with a password goes into `ASKBOX_STORE` rather than on the command line, where other users of the machine could read it.",
      ],
    },
    {
      because: "advice",
      says: [
        "Deadlines are wall time to the other hubs: keep the machines' clocks right by NTP.",
        "`/etc/systemd/system/askbox@.service`, started as `askbox@4141` and `askbox@4142`:",
        "Each space's hubs have a home and a host name of their own.",
        "Two are enough for availability; add more when the processor of one is busy.",
        "From 10,000 pending sessions on, [how far it goes](scale.md) says what each costs and what gives way first.",
        "Back up the append-only file or snapshots as Redis' manual says, from a replica.",
        "Upgrade one hub after the other: stop it (`askbox hub stop`, or SIGTERM), replace it, wait for `/readyz`.",
      ],
    },
    {
      because: "not promised",
      says: [
        "A hub that is killed for good after it took an event on, and before it delivered it, does not deliver it: keep its home, or read `/api/events` instead.",
        'Whoever answered was then told "sent", and the question is pending again: it is shown and can be answered once more.',
        "A backup that is restored brings questions back as they were then; what was answered since is asked again.",
      ],
    },
    {
      because: "elsewhere",
      why: "It is what Redis does under that setting.",
      says: ["`min-replicas-to-write 1` | a master that was cut off takes no writes that the new master will not have"],
    },
    {
      because: "not promised",
      why: "It says what Redis' own settings allow to be lost.",
      says: [
        "With `appendfsync everysec`, the Debian default, a machine that loses its power can lose the answers of its last two seconds; with no `replicas`, a failover can lose what the replica did not have yet.",
      ],
    },
    {
      because: "advice",
      why: "Advice to balancers; that a hub goes on by itself is promised in docs/redis.md.",
      says: ["Let the balancer ask `/readyz`, and restart nothing because of it: a hub goes on by itself when the store is back."],
    },
    {
      because: "advice",
      why: "Advice how to use Redis' own users.",
      says: [
        "Whoever can read the Redis can read all of them: give each team a Redis user that is allowed `~{askbox:red}:*` and `&{askbox:red}:*` where that matters.",
      ],
    },
    {
      because: "measured",
      says: ["A hub takes some 90 to 130 MB."],
    },
  ],
};
