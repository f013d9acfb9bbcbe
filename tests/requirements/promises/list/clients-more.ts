import type { PromisedPage } from "../promise.ts";

export const clientsMorePage: PromisedPage = {
  page: "docs/clients.md",
  promises: [
    {
      id: "clients.with-hooks-claude-code-runs",
      says: "With `--with-hooks` Claude Code runs `askbox hook claude-code` before its `AskUserQuestion`.",
      tests: [
        "tests/clients/hook-command.test.ts > askbox hook claude-code > puts the client's own question into the inbox and hands the answer back in its input",
      ],
    },
    {
      id: "clients.questions-come-into-inbox",
      says: "The questions come into the inbox, and the answers go back in the tool's input, as if they had been given in Claude Code's own dialog; this works where Claude Code runs without a person too, if its version offers the tool there.",
      tests: [
        "tests/clients/hook-command.test.ts > askbox hook claude-code > puts the client's own question into the inbox and hands the answer back in its input",
        "packages/clients/test/hook.test.ts > Claude Code's AskUserQuestion > is asked as select and multi-select, with headers, descriptions and previews",
        "packages/clients/test/hook.test.ts > Claude Code's AskUserQuestion > is answered by the question's text, choices joined by commas, notes and previews beside",
        "packages/clients/test/hook.test.ts > the hook > lets the tool run with the answers in its input",
      ],
    },
    {
      id: "clients.turned-down-inbox-tool",
      says: "Turned down in the inbox, the tool is denied with your words.",
      tests: [
        "packages/clients/test/hook.test.ts > the hook > gives a person's no on as a no, with their words",
        "tests/clients/hook-command.test.ts > askbox hook claude-code > gives a person's no on",
      ],
    },
    {
      id: "clients.when-nobody-answers-time",
      says: "When nobody answers in time, or no hub can be reached, Claude Code's own dialog comes up; without a person at the client there is none, and the agent is told why nobody answered.",
      tests: [
        "packages/clients/test/hook.test.ts > the hook > leaves the client its own dialog when %s, and without one says why",
        "tests/clients/hook-command.test.ts > askbox hook claude-code > without a hub lets the client's own dialog come up, and where there is none says why",
      ],
    },
    {
      id: "clients.timeout-hook-says-how",
      says: "`--timeout` of the hook says how long it waits: as long as your `timeout` setting says, or 30 minutes without a person at the client.",
      tests: ["apps/askbox/test/hook-wait.test.ts > how long the hook waits > is %s"],
    },
    {
      id: "clients.this-writes-mcp-json",
      says: "This writes `.mcp.json` and `.claude/settings.json` into the worktree, keeps both out of git by the clone's own `info/exclude`, and prints two blocks for the agent's system prompt.",
      tests: [
        "tests/clients/install-command.test.ts > askbox install claude-code --worktree > writes both files for an agent that is about to be started, out of git's sight, and without a token",
        "tests/clients/install-command.test.ts > askbox install claude-code --worktree > says when a file is in git already",
        "packages/clients/test/worktree.test.ts > the blocks for a system prompt name the tool as it is called, and the id only where it takes one",
      ],
    },
    {
      id: "clients.server-hub-s-sse",
      says: "The server is the hub's `/sse`; its token comes from the environment.",
      tests: [
        "tests/clients/install-command.test.ts > askbox install claude-code --worktree > writes both files for an agent that is about to be started, out of git's sight, and without a token",
      ],
    },
    {
      id: "clients.askbox-config-set-autoregister",
      says: "`askbox config set autoRegister antigravity` lets the hub enter askbox in Antigravity's settings when it starts, and take it out when it stops; several clients are separated by commas.",
      tests: [
        "tests/clients/auto-register.test.ts > a hub enters askbox in the clients that the config names while it runs, also after it was killed",
        "packages/clients/test/auto-register.test.ts > a hub enters askbox in a client's settings while it runs, and takes it out when it stops",
        "packages/home/test/config.test.ts > the settings > take a list of clients by name, and no other",
      ],
    },
    {
      id: "clients.hub-was-killed-left",
      says: "What a hub that was killed has left is kept or taken out by the next one.",
      tests: [
        "packages/clients/test/auto-register.test.ts > a hub that was killed leaves its entry to the next one, which keeps it or takes it out",
      ],
    },
    {
      id: "clients.entry-you-made-yourself",
      says: "An entry that you made yourself stays as it is.",
      tests: ["packages/clients/test/auto-register.test.ts > what a person has set up stays as it is, at the start and at the stop"],
    },
    {
      id: "clients.just-before-askbox-comes",
      says: "Just before, askbox comes back with a ticket, and the agent goes on waiting with `get_answer`.",
      tests: [
        "packages/mcp/test/clients.test.ts > the table of clients > a ticket is always given before the client's own limit",
        "tests/requirements/list/calls.ts > each client's call comes back with a ticket before the client gives up",
      ],
    },
    {
      id: "clients.client-this-list-gets",
      says: "A client that is not in this list gets a ticket after 50 s.",
      tests: [
        "packages/mcp/test/clients.test.ts > the table of clients > a client that waits for progress alone is unknown when it wants none",
        "packages/mcp/test/clients.test.ts > the table of clients > a longer name of a known client is known; another that only begins alike is not",
        "packages/mcp/test/clients.test.ts > the table of clients > an unknown client gets a ticket after 50 s, whether it wants progress or not",
      ],
    },
    {
      id: "clients.measure-one-your-machine",
      says: "To measure one on your machine, add a server to it with the command `askbox mcp --probe`, tell its agent to call `askbox_probe` and wait, and see `askbox doctor --client NAME`.",
      tests: ["tests/clients/probe.test.ts > askbox mcp --probe notes how long a client waits, and doctor --client tells it"],
    },
    {
      id: "clients.server-json-describes-askbox",
      says: "`server.json` describes askbox to the MCP registry.",
      tests: [
        "apps/askbox/test/distribution.test.ts > server.json > is what the registry's schema asks for, and says what the package says",
      ],
    },
    {
      id: "clients.pnpm-filter-askbox-mcpb",
      says: "`pnpm --filter askbox mcpb` packs an MCP bundle (`.mcpb`) from a build, for clients that install those.",
      tests: [
        "apps/askbox/test/distribution.test.ts > the MCP bundle > has a manifest as its schema asks for",
        "apps/askbox/test/distribution.test.ts > the MCP bundle > unpacked anywhere, runs its server for a real client, and its hub",
      ],
    },
  ],
  explained: [
    {
      because: "elsewhere",
      says: ["A client gives up on a call after its own time."],
    },
    {
      because: "not promised",
      says: ["Measured figures hold for what was measured: another version may wait for another time."],
    },
    {
      because: "advice",
      says: [
        "[What `install` writes](client-entries.md), for each client: [Claude Code](client-entries.md#claude-code), [Codex](client-entries.md#codex), [OpenCode](client-entries.md#opencode), [Cursor](client-entries.md#cursor), [VS Code](client-entries.md#vs-code), [Gemini CLI](client-entries.md#gemini-cli), [Antigravity](client-entries.md#antigravity), [Windsurf](client-entries.md#windsurf), [Zed](client-entries.md#zed).",
      ],
    },
  ],
};
