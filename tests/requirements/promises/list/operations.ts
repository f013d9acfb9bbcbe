import type { PromisedPage } from "../promise.ts";

export const operationsPage: PromisedPage = {
  page: "docs/operations.md",
  promises: [
    {
      id: "operations.one-person-one-machine",
      says: "One person on one machine needs nothing of this page: the hub starts by itself and looks after itself.",
      tests: [
        "tests/command/ask-and-answer.test.ts > askbox in a shell > a question is listed, shown and answered from another process, and the hub starts by itself",
        "apps/hub/test/idle-exit.test.ts > an idle hub > leaves once nobody has been there for long enough",
        "packages/core/test/broker.test.ts > retention > removes what was settled long enough ago in the background of an ask, and tells how many",
      ],
    },
    {
      id: "operations.one-hub-each-home",
      says: "There is one hub for each home folder, held by a lock that the operating system releases with the process.",
      tests: [
        "apps/hub/test/race.test.ts > one hub for each home > has one winner when ten hubs race, and the others leave with 0",
        "apps/hub/test/lifecycle.test.ts > the hub's process > comes up in spite of what a hub that was killed left behind",
      ],
    },
    {
      id: "operations.whoever-needs-first-starts",
      says: "Whoever needs it first starts it in the background.",
      tests: [
        "apps/hub/test/race.test.ts > one hub for each home > starts exactly once when ten clients come at the same moment, 50 rounds in a row",
        "apps/hub/test/connect.test.ts > the way to the hub > starts one when none runs, and finds the one that runs",
      ],
    },
    {
      id: "operations.leaves-5-minutes-idleexit",
      says: "It leaves 5 minutes (`idleExit`) after nobody is connected and nothing is pending.",
      tests: [
        "apps/hub/test/idle-exit.test.ts > an idle hub > leaves once nobody has been there for long enough",
        "apps/hub/test/idle-exit.test.ts > an idle hub > stays while somebody is connected or something is pending, and counts from the end of it",
        "packages/home/test/config.test.ts > the settings > have a default each",
      ],
    },
    {
      id: "operations.sigterm-sigint-end-within",
      says: "SIGTERM and SIGINT end it within 5 seconds; it takes no more asks by then, and says so.",
      tests: [
        "apps/hub/test/shutdown.test.ts > a hub that is told to end by SIGTERM > ends by itself within 5 s, whoever holds on to it, and keeps every session",
        "apps/hub/test/shutdown.test.ts > a hub that is told to end by SIGTERM > takes no ask that comes on a connection which is open still: 503, and when to come again",
        "apps/hub/test/lifecycle.test.ts > the hub's process > ends within 5 seconds while askers wait and a client does not let go",
      ],
    },
    {
      id: "operations.service-manager-runs-askbox",
      says: "A service manager runs `askbox hub`, which stays unless `idleExit` is set: [a unit for systemd](deploy.md#systemd) and [a deployment for Kubernetes](deploy.md#kubernetes).",
      tests: [
        "apps/hub/test/idle-exit.test.ts > an idle hub > is left running in the foreground unless a time was set, and for 5 minutes in the background",
      ],
    },
    {
      id: "operations.several-hubs-can-share",
      says: "[Several hubs](deploy.md) can share one inbox.",
      tests: [
        "tests/cluster/redis-faults.test.ts > a question asked at one hub is seen at another, answered at a third and returned at the first",
      ],
    },
    {
      id: "operations.healthz-process-lives",
      says: "`/healthz` | the process lives",
      tests: ["packages/hub/test/access.test.ts > the hub's health > is open to all and proves who it is to one who knows the secret"],
    },
    {
      id: "operations.readyz-can-do-work",
      says: "`/readyz` | it can do its work: 503 while its store is away or it closes",
      tests: [
        "packages/hub/test/access.test.ts > the hub's health > is not ready while the hub closes: it says so, or nobody answers any more",
        "packages/hub/test/access.test.ts > the hub's health > is not ready while its store is away, and says so without telling where that is",
      ],
    },
    {
      id: "operations.metrics-figures-token",
      says: "`/metrics` | figures, for a token",
      tests: [
        "apps/hub/test/metrics.test.ts > a hub's /metrics > tells a desk and a token for metrics, and no asker, what was asked and how long it took",
      ],
    },
    {
      id: "operations.data-local-share-askbox",
      says: "data | `~/.local/share/askbox` | `~/Library/Application Support/askbox` | `%LOCALAPPDATA%\\askbox\\Data`",
      tests: [
        "packages/home/test/folders.test.ts > the home's folders > follow the XDG base directories on Linux",
        "packages/home/test/folders.test.ts > the home's folders > lie in the Library on macOS",
        "packages/home/test/folders.test.ts > the home's folders > lie in the application data of the user on Windows",
      ],
    },
    {
      id: "operations.settings-config-askbox-library",
      says: "settings | `~/.config/askbox` | `~/Library/Preferences/askbox` | `%APPDATA%\\askbox\\Config`",
      tests: [
        "packages/home/test/folders.test.ts > the home's folders > follow the XDG base directories on Linux",
        "packages/home/test/folders.test.ts > the home's folders > lie in the Library on macOS",
        "packages/home/test/folders.test.ts > the home's folders > lie in the application data of the user on Windows",
      ],
    },
    {
      id: "operations.logs-local-state-askbox",
      says: "logs | `~/.local/state/askbox/logs` | `~/Library/Logs/askbox` | `%LOCALAPPDATA%\\askbox\\Log`",
      tests: [
        "packages/home/test/folders.test.ts > the home's folders > follow the XDG base directories on Linux",
        "packages/home/test/folders.test.ts > the home's folders > lie in the Library on macOS",
        "packages/home/test/folders.test.ts > the home's folders > lie in the application data of the user on Windows",
      ],
    },
    {
      id: "operations.linux-xdg-data-home",
      says: "On Linux `XDG_DATA_HOME`, `XDG_CONFIG_HOME` and `XDG_STATE_HOME` are followed.",
      tests: ["packages/home/test/folders.test.ts > the home's folders > follow the XDG base directories on Linux"],
    },
    {
      id: "operations.askbox-home-everything-one",
      says: "With `ASKBOX_HOME` everything is in that one folder, and a hub with another home is another hub.",
      tests: [
        "packages/home/test/folders.test.ts > the home's folders > are all directly in ASKBOX_HOME when it is %s",
        "tests/command/remote-hub.test.ts > every command works at another hub, and none is started here",
      ],
    },
    {
      id: "operations.askbox-db-wal-shm",
      says: "`askbox.db` (with `-wal` and `-shm` while a hub runs) | sessions, answers, drafts | all of them",
      tests: [
        "tests/command/files.test.ts > everything that askbox keeps is readable by its owner alone",
        "packages/store-sqlite/test/contract.test.ts > the SQLite store, reopened or opened twice, > $contractCase.name",
      ],
    },
    {
      id: "operations.hub-json-last-hub",
      says: "`hub.json`, or `last-hub.json` when none runs | address, asker's token | the token: this home's clients find the new one by themselves, whoever else was given it does not",
      tests: [
        "tests/command/files.test.ts > everything that askbox keeps is readable by its owner alone",
        "apps/hub/test/lost-files.test.ts > a hub whose tokens were lost between two runs makes new ones, and who is connected goes on; the old ones are worth nothing",
      ],
    },
    {
      id: "operations.desk-json-desk-s",
      says: "`desk.json` | desk's token | nothing; a new one is made",
      tests: [
        "packages/home/test/runtime-files.test.ts > the runtime files > keep the tokens from one hub to the next, however it ended",
        "apps/hub/test/lost-files.test.ts > a hub whose tokens were lost between two runs makes new ones, and who is connected goes on; the old ones are worth nothing",
      ],
    },
    {
      id: "operations.devices-json-tokens-json",
      says: "`devices.json`, `tokens.json` | logins of browsers and named tokens, as hashes | those logins and tokens",
      tests: [
        "apps/hub/test/people.test.ts > a hub > serves the page it is given, and lets a browser in whose login only its owner can read",
        "packages/hub/test/login.test.ts > the devices > outlive the hub as hashes",
        "packages/hub/test/tokens.test.ts > a list of tokens > outlives the hub as hashes, and leaves out what cannot be read",
        "tests/command/tokens.test.ts > askbox token > makes a token for an agent elsewhere, which asks until it is revoked, and not a moment longer",
      ],
    },
    {
      id: "operations.agents-json-agents-known",
      says: "`agents.json` | agents that are known by id | that list",
      tests: ["tests/command/agents.test.ts > registered agents outlive the hub, in a file of their owner alone"],
    },
    {
      id: "operations.webhooks-json-deliveries-their",
      says: "`webhooks.json` | deliveries on their way | those deliveries",
      tests: [
        "tests/command/files.test.ts > everything that askbox keeps is readable by its owner alone",
        "packages/webhooks/test/restart.test.ts > webhooks over a restart of the hub > go on with what had not arrived",
      ],
    },
    {
      id: "operations.told-json-which-questions",
      says: "`told.json` | which questions people were called to | nothing",
      tests: [
        "tests/command/files.test.ts > everything that askbox keeps is readable by its owner alone",
        "apps/hub/test/people.test.ts > a question that comes while nobody is there > calls people by the home's own command, once in however many runs of the hub",
        "apps/hub/test/lost-files.test.ts > a hub whose tokens were lost between two runs makes new ones, and who is connected goes on; the old ones are worth nothing",
      ],
    },
    {
      id: "operations.clients-json-client-backups",
      says: "`clients.json`, `client-backups` | what `askbox install` wrote, and the files as they were | `uninstall` takes out its entry, but cannot give a file back to the byte",
      tests: [
        "packages/clients/test/round-trip.test.ts > a file of settings > is copied as it was beside a note of what was written, for the owner alone and as long as askbox is set up",
        "packages/clients/test/round-trip.test.ts > a file of settings > a lost ledger costs exactness, not the way out",
      ],
    },
    {
      id: "operations.probes-json-how-long",
      says: "`probes.json` | how long clients waited in `askbox mcp --probe` | those figures",
      tests: ["tests/clients/probe.test.ts > askbox mcp --probe notes how long a client waits, and doctor --client tells it"],
    },
    {
      id: "operations.hub-lock-nothing-held",
      says: "`hub.lock` | nothing; it is held by the hub | –",
      tests: ["apps/hub/test/race.test.ts > one hub for each home > has one winner when ten hubs race, and the others leave with 0"],
    },
    {
      id: "operations.all-readable-owner-alone",
      says: "All of it is readable by its owner alone.",
      tests: ["tests/command/files.test.ts > everything that askbox keeps is readable by its owner alone"],
    },
  ],
  explained: [{ because: "purpose", says: ["It is for those who want to know, and for hubs that run as a service."] }],
};
