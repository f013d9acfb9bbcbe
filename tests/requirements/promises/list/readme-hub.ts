import type { PromisedPage } from "../promise.ts";

export const readmeHubPage: PromisedPage = {
  page: "README.md",
  promises: [
    {
      id: "readme.starts-itself-once-each",
      says: "It starts by itself, once for each person on a machine, listens on 127.0.0.1 only, and leaves 5 minutes after nobody is connected and nothing is pending.",
      tests: [
        "tests/command/ask-and-answer.test.ts > askbox in a shell > a question is listed, shown and answered from another process, and the hub starts by itself",
        "apps/mcp-http/test/race.test.ts > one hub for each home > starts exactly once when ten clients come at the same moment, 50 rounds in a row",
        "packages/home/test/config.test.ts > the settings > have a default each",
        "apps/mcp-http/test/idle-exit.test.ts > an idle hub > leaves once nobody has been there for long enough",
        "apps/mcp-http/test/idle-exit.test.ts > an idle hub > stays while somebody is connected or something is pending, and counts from the end of it",
      ],
    },
    {
      id: "readme.askbox-hub-runs-foreground",
      says: "`askbox hub` runs it in the foreground, `askbox hub status` says where it is and `askbox hub stop` ends it; pending questions are kept, and calls that still wait look for another hub for a minute before they fail.",
      tests: [
        "apps/mcp-http/test/lifecycle.test.ts > the hub's process > leaves the field to the hub that is there: silently in the background, with a sentence in the foreground",
        "apps/mcp-http/test/lifecycle.test.ts > the hub's process > tells of itself, and stops when a desk says so",
        "tests/command/hub-and-config.test.ts > askbox hub > stop says how many calls still wait, who do not start it again, and are joined to the hub that a person starts",
        "packages/wire/test/patience.test.ts > patience > ends a request a minute after the loss, and not before",
      ],
    },
    {
      id: "readme.askbox-home-folder-everything",
      says: "`ASKBOX_HOME` | the folder for everything askbox keeps | the platform's folders for data, settings and logs",
      tests: [
        "packages/home/test/folders.test.ts > the home's folders > are all directly in ASKBOX_HOME when it is %s",
        "packages/home/test/folders.test.ts > the home's folders > follow the XDG base directories on Linux",
      ],
    },
    {
      id: "readme.askbox-timeout-milliseconds-question",
      says: "`ASKBOX_TIMEOUT` | milliseconds a question waits when its ask does not say, 10000 to 1800000 | 300000",
      tests: [
        "packages/home/test/config.test.ts > the settings > have a default each",
        "tests/requirements/list/input.ts > ten questions of 1,000 characters, a title of 100 and the longest timeout are taken",
        "apps/mcp-stdio/test/stdio-server.test.ts > the stdio server > takes the default timeout from the flag, else from the environment",
      ],
    },
    {
      id: "readme.askbox-store-sqlite-sqlite",
      says: "`ASKBOX_STORE` | `sqlite`, `sqlite:PATH`, `memory` or `redis://…` | `sqlite`",
      tests: [
        "packages/home/test/config.test.ts > the settings > take %s=%s",
        "packages/home/test/config.test.ts > the settings > have a default each",
        "tests/command/redis.test.ts > askbox hub on Redis > keeps questions there, says how safe they are, and shows the password nowhere",
      ],
    },
    {
      id: "readme.askbox-port-hub-s",
      says: "`ASKBOX_PORT` | the hub's port | the one it used last",
      tests: [
        "apps/mcp-http/test/lifecycle.test.ts > the hub's process > takes another port when its last one is taken, but not when it was told which",
        "packages/home/test/runtime-files.test.ts > the runtime files > show no hub once it has stopped, and still tell the next one its port",
        "packages/home/test/config.test.ts > the settings > come from the flag before the environment before the file before the default",
      ],
    },
    {
      id: "readme.askbox-host-hosts",
      says: "`ASKBOX_HOST`, `ASKBOX_HOSTS` | the address the hub listens on; the names, with commas between, under which it may be reached beside loopback | `127.0.0.1`; none",
      tests: [
        "packages/home/test/config.test.ts > the settings > have a default each",
        "packages/home/test/config.test.ts > the settings > come from the flag before the environment before the file before the default",
        "packages/hub/test/access.test.ts > the Host and Origin headers > are checked on every route",
      ],
    },
    {
      id: "readme.askbox-attention",
      says: "`ASKBOX_ATTENTION` | how you [learn of a question](#be-told-of-a-question) | by the machine",
      tests: [
        "packages/home/test/config.test.ts > the settings > come from the flag before the environment before the file before the default",
        "packages/attention/test/default-attention.test.ts > the default way to call a person > on %s with %o is %s",
      ],
    },
    {
      id: "readme.docs-build",
      says: "`npx -y pnpm@12 docs:build` makes a site of these pages, in `docs/.vitepress/dist`, and `docs:dev` serves it while you read.",
      tests: [
        "tests/docs/build.test.ts > pnpm docs:build > makes each page of the side bar",
        "tests/docs/scripts.test.ts > each script of pnpm in the docs is there > in %s",
      ],
    },
    {
      id: "readme.askbox-idle-exit-seconds",
      says: "`ASKBOX_IDLE_EXIT` | seconds until an idle hub leaves, 0 for never | 300",
      tests: [
        "apps/mcp-http/test/idle-exit.test.ts > an idle hub > leaves once nobody has been there for long enough",
        "apps/mcp-http/test/idle-exit.test.ts > an idle hub > never leaves when it was told so",
        "packages/home/test/config.test.ts > the settings > take %s=%s",
      ],
    },
    {
      id: "readme.askbox-retention-how-long",
      says: "`ASKBOX_RETENTION` | how long settled questions are kept, such as `90d`, at least an hour, or `off` | 90d",
      tests: [
        "packages/core/test/broker.test.ts > retention > removes what was settled long enough ago in the background of an ask, and tells how many",
        "packages/core/test/broker.test.ts > retention > can be turned off",
        "packages/home/test/config.test.ts > a duration > %j is %s ms",
      ],
    },
    {
      id: "readme.askbox-tls-cert-askbox",
      says: "`ASKBOX_TLS_CERT`, `ASKBOX_TLS_KEY` | PEM files; with both the hub serves over TLS | off",
      tests: [
        "apps/mcp-http/test/tls.test.ts > a hub with a certificate > serves over TLS, says so in hub.json, and its own clients need nothing to trust it",
        "apps/mcp-http/test/tls.test.ts > a hub that is to serve over TLS > %s says so in one sentence",
        "packages/home/test/config.test.ts > the settings > within others are set by flags of their whole name, and by config set",
      ],
    },
    {
      id: "readme.askbox-hub-askbox-token",
      says: "`ASKBOX_HUB`, `ASKBOX_TOKEN` | another hub's address, and the token for it | this machine's own",
      tests: [
        "tests/command/remote-hub.test.ts > every command works at another hub, and none is started here",
        "apps/mcp-http/test/connect.test.ts > the way to the hub > leads to a given hub with a given token, or with this home's when it is this home's",
      ],
    },
    {
      id: "readme.askbox-debug-true-log",
      says: "`ASKBOX_DEBUG` | `true`: log everything | off",
      tests: [
        "packages/home/test/config.test.ts > the settings > are taken from the ask_user design's variables where askbox's own are not set",
        "packages/home/test/config.test.ts > the settings > take %s=%s",
      ],
    },
    {
      id: "readme.cn-mcp-timeout-cn",
      says: "`CN_MCP_TIMEOUT`, `CN_MCP_PORT` and `CN_MCP_DEBUG` are understood where `ASKBOX_TIMEOUT`, `ASKBOX_PORT` and `ASKBOX_DEBUG` are not set.",
      tests: [
        "packages/home/test/config.test.ts > the settings > are taken from the ask_user design's variables where askbox's own are not set",
      ],
    },
    {
      id: "readme.askbox-config-set-autoregister",
      says: "`askbox config set autoRegister antigravity` enters askbox in a client's settings for as long as the hub runs.",
      tests: [
        "tests/clients/auto-register.test.ts > a hub enters askbox in the clients that the config names while it runs, also after it was killed",
        "packages/clients/test/auto-register.test.ts > a hub enters askbox in a client's settings while it runs, and takes it out when it stops",
      ],
    },
    {
      id: "readme.flag-stands-above-environment",
      says: "A flag stands above the environment, the environment above `config.json`, that above the default.",
      tests: [
        "packages/home/test/config.test.ts > the settings > come from the flag before the environment before the file before the default",
      ],
    },
    {
      id: "readme.askbox-config-get-shows",
      says: "`askbox config get` shows all settings and where each comes from, `askbox config set KEY VALUE` writes one.",
      tests: [
        "tests/command/hub-and-config.test.ts > askbox config > writes what is valid, refuses the rest with a sentence, and says where a value comes from",
      ],
    },
    {
      id: "readme.beyond-this-machine-hub",
      says: "Beyond this machine the hub needs names under which it may be reached, and should have a certificate: [more on servers, tokens and limits](docs/http.md).",
      tests: [
        "tests/command/hub-and-config.test.ts > askbox hub > refuses %j with exit code 2, a sentence, and with --json a document",
        "apps/mcp-http/test/tls.test.ts > a hub beyond loopback > says in one sentence what plain HTTP shows, and what helps",
        "apps/mcp-http/test/lifecycle.test.ts > the hub's process > refuses %j with one sentence",
      ],
    },
    {
      id: "readme.several-hubs-over-one",
      says: "Several hubs over one [Redis or Valkey](docs/redis.md) are one inbox: for a team whose agents run on servers.",
      tests: [
        "tests/cluster/redis-faults.test.ts > a question asked at one hub is seen at another, answered at a third and returned at the first",
        "packages/core/test/cluster.test.ts > several brokers over one store > are one inbox: asked at the first, seen at the second, answered at the third, returned at the first",
      ],
    },
    {
      id: "readme.every-command-takes-hub",
      says: "Every command takes `--hub URL --token-file FILE` for a hub elsewhere.",
      tests: ["tests/command/remote-hub.test.ts > every command works at another hub, and none is started here"],
    },
    {
      id: "readme.completions-bash-zsh-fish",
      says: "Completions for bash, zsh and fish: `askbox help completion`.",
      tests: [
        "apps/askbox/test/completion.test.ts > the Tab key > offers %s",
        "tests/command/completion.test.ts > in bash > commands, flags, values, files and ids are completed",
        "tests/command/completion.test.ts > in zsh > commands are completed",
        "tests/command/completion.test.ts > in fish > commands are completed",
      ],
    },
    {
      id: "readme.askbox-doctor-says-wrong",
      says: "`askbox doctor` says what is wrong and how to fix it; `askbox doctor --client NAME` says how long a client waits for a call.",
      tests: [
        "tests/command/hub-and-config.test.ts > askbox doctor > says what is wrong and how to fix it, and exits with 1",
        "tests/command/hub-and-config.test.ts > askbox doctor > finds nothing wrong in a new home, and makes nothing there",
        "tests/clients/probe.test.ts > askbox mcp --probe notes how long a client waits, and doctor --client tells it",
      ],
    },
    {
      id: "readme.hub-writes-log-logs",
      says: "The hub writes its log to `logs/` in its home; the MCP server writes to stderr, which most clients keep with their own logs.",
      tests: [
        "packages/home/test/logger.test.ts > the logger > writes lines for people with a prefix, and JSON lines to the file",
        "apps/mcp-http/test/people.test.ts > a hub > says in its log where to answer a question, and never what it asks",
      ],
    },
    {
      id: "readme.askbox-debug-true-makes",
      says: "`ASKBOX_DEBUG=true` makes both say more.",
      tests: [
        "apps/mcp-http/test/lifecycle.test.ts > ASKBOX_DEBUG=true > %s",
        "packages/home/test/config.test.ts > the settings > are taken from the ask_user design's variables where askbox's own are not set",
      ],
    },
    {
      id: "readme.every-message-says-do",
      says: "Every message says what to do; one that does not is a bug worth an issue, with the command, what it printed and the log.",
      tests: [
        "tests/command/remote-hub.test.ts > what is wrong with the way there is said in one sentence",
        "tests/command/hub-and-config.test.ts > askbox doctor > says what is wrong and how to fix it, and exits with 1",
        "packages/mcp/test/failures.test.ts > what an agent is told when askbox cannot do its part > without a hub %s is told at once what to do, and to use its own %s",
      ],
    },
  ],
  explained: [
    {
      because: "purpose",
      says: ["The hub keeps the inbox."],
    },
    {
      because: "advice",
      says: [
        "[How to run several](docs/deploy.md).",
        "[Settings](docs/configuration.md) has all of them.",
        "begin | [Quick start](docs/start.md) · [Concepts](docs/concepts.md) · [Types of questions](docs/question-types.md) · [Examples](examples/README.md)",
        "answer | [in the browser](docs/web.md) · [in a terminal](docs/terminal.md) · [from a shell](docs/command-line.md) · [in the agent's own window](docs/client-form.md) · [by program](docs/api.md)",
        "set agents up | [Clients](docs/clients.md) · [Tools](docs/tools.md) · [MCP over HTTP](docs/http.md) · [`elicit()`](docs/elicit.md) · [Embed it](docs/embedding.md)",
        "run it | [Operations](docs/operations.md) · [Settings](docs/configuration.md) · [Webhooks](docs/webhooks.md) · [Several hubs](docs/deploy.md) · [Security](docs/security.md)",
        "look things up | [Commands](docs/commands.md) · [REST](docs/rest.md) · [Wire](docs/wire.md) · [Shapes](docs/shapes.md) · [Guarantees](docs/guarantees.md) · [Performance](docs/performance.md) · [How far it goes](docs/scale.md)",
        "work on it | [Contributing](CONTRIBUTING.md) · [Architecture](docs/architecture.md) · [Decisions](docs/decisions/README.md) · [Report a vulnerability](SECURITY.md) · [MIT licence](LICENSE)",
      ],
    },
  ],
};
