import type { PromisedPage } from "../promise.ts";

export const configurationPage: PromisedPage = {
  page: "docs/configuration.md",
  promises: [
    {
      id: "configuration.setting-comes-flag-else",
      says: "A setting comes from a flag, else from the environment, else from `config.json`, else it has its default.",
      tests: [
        "packages/home/test/config.test.ts > the settings > come from the flag before the environment before the file before the default",
      ],
    },
    {
      id: "configuration.hub-reads-settings-when",
      says: "A hub reads its settings when it starts: `askbox hub stop` ends it, and the next question starts it again.",
      tests: ["tests/command/hub-and-config.test.ts > askbox config > is read by a hub when it starts, and again by the next"],
    },
    {
      id: "configuration.valid-refused-sentence-hub",
      says: "What is not valid is refused with a sentence, and a hub does not start with it.",
      tests: [
        "packages/home/test/config.test.ts > the settings > refuse a file that holds %s with a sentence",
        "packages/home/test/config.test.ts > the settings > are not written when they do not fit",
        "tests/command/hub-and-config.test.ts > askbox hub > refuses %j with exit code 2, a sentence, and with --json a document",
        "apps/mcp-http/test/lifecycle.test.ts > the hub's process > says in one sentence that config.json is malformed",
      ],
    },
    {
      id: "configuration.askbox-config-schema-prints",
      says: "`askbox config schema` prints the JSON Schema for your editor; it also lies beside `config.json`, which names it.",
      tests: [
        "tests/command/hub-and-config.test.ts > askbox config > writes what is valid, refuses the rest with a sentence, and says where a value comes from",
        "packages/home/test/config.test.ts > the settings > have a JSON Schema that describes each",
        "apps/askbox/test/config-schema.test.ts > the published schema of config.json is up to date (pnpm --filter askbox schema)",
      ],
    },
    {
      id: "configuration.askbox-home-folder-everything",
      says: "`ASKBOX_HOME` | the folder for everything askbox keeps; without it, [the platform's folders](operations.md#files)",
      tests: [
        "packages/home/test/folders.test.ts > the home's folders > are all directly in ASKBOX_HOME when it is %s",
        "packages/home/test/folders.test.ts > the home's folders > follow the XDG base directories on Linux",
      ],
    },
    {
      id: "configuration.askbox-hub-askbox-token",
      says: "`ASKBOX_HUB`, `ASKBOX_TOKEN` | another hub's address, and the token for it",
      tests: [
        "tests/command/remote-hub.test.ts > every command works at another hub, and none is started here",
        "apps/mcp-http/test/connect.test.ts > the way to the hub > leads to a given hub with a given token, or with this home's when it is this home's",
      ],
    },
    {
      id: "configuration.askbox-debug-true-log",
      says: "`ASKBOX_DEBUG` | `true`: log everything, as `logLevel` `debug`",
      tests: ["apps/mcp-http/test/lifecycle.test.ts > ASKBOX_DEBUG=true > %s"],
    },
    {
      id: "configuration.cn-mcp-timeout-cn",
      says: "`CN_MCP_TIMEOUT`, `CN_MCP_PORT` and `CN_MCP_DEBUG` are understood where `ASKBOX_TIMEOUT`, `ASKBOX_PORT` and `ASKBOX_DEBUG` are not set.",
      tests: [
        "packages/home/test/config.test.ts > the settings > are taken from the ask_user design's variables where askbox's own are not set",
      ],
    },
    {
      id: "configuration.two-allow-settings-have",
      says: "The two `allow…` settings have no variable on purpose: an agent sets the environment of the commands it runs.",
      tests: ["packages/home/test/config.test.ts > the settings > do not let the environment allow agents to answer"],
    },
  ],
  explained: [],
};
