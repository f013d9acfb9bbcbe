import type { PromisedPage } from "../promise.ts";

export const commandsClientsPage: PromisedPage = {
  page: "docs/commands.md",
  promises: [
    {
      id: "commands.askbox-install-set-client",
      says: "`askbox install`: Set a client up.",
      tests: ["tests/clients/install-command.test.ts > askbox install > and uninstall leave everything as it was, and say what they did"],
    },
    {
      id: "commands.askbox-install-client-client",
      says: '`askbox install client` | the client (choices: "claude-code", "codex", "opencode", "cursor", "vscode", "gemini-cli", "antigravity", "windsurf", "zed")',
      tests: [
        "tests/clients/install-command.test.ts > askbox install > refuses %j with exit code 2 and one sentence",
        "apps/askbox/test/client-docs.test.ts > what the pages say of clients and commands > every client is there, with an entry that its own reader takes",
      ],
    },
    {
      id: "commands.askbox-install-scope-user",
      says: "`askbox install --scope <user|project>` | for you everywhere (default), or for the project",
      tests: [
        "packages/clients/test/golden.test.ts > %s > $title: %s settings, %s, as the golden file says",
        "tests/clients/install-command.test.ts > askbox install > refuses %j with exit code 2 and one sentence",
      ],
    },
    {
      id: "commands.askbox-install-project-folder",
      says: "`askbox install --project <folder>` | the project's folder (default: this one)",
      tests: ["tests/clients/install-command.test.ts > askbox install > --project names another folder than this one, for both ways"],
    },
    {
      id: "commands.askbox-install-http-reach",
      says: "`askbox install --http` | reach the hub by URL instead of starting a server; the hub has to run then",
      tests: [
        "tests/clients/install-command.test.ts > askbox install > --http names the hub's address and where the token is, and puts it in no file",
      ],
    },
    {
      id: "commands.askbox-install-tools-b",
      says: "`askbox install --tools <a,b>` | the tools to offer: ask_user, cn_ask_user, ask_user_questions, ask_human",
      tests: [
        "tests/clients/install-command.test.ts > askbox install > --tools, --agent and --max-wait stand in the entry as the flags of askbox mcp",
        "tests/clients/install-command.test.ts > askbox install > refuses %j with exit code 2 and one sentence",
      ],
    },
    {
      id: "commands.askbox-install-agent-id",
      says: "`askbox install --agent <ID>` | the agent's id, among several of one client",
      tests: [
        "tests/clients/install-command.test.ts > askbox install > --tools, --agent and --max-wait stand in the entry as the flags of askbox mcp",
        "tests/clients/install-command.test.ts > askbox install claude-code --worktree > writes both files for an agent that is about to be started, out of git's sight, and without a token",
      ],
    },
    {
      id: "commands.askbox-install-max-wait-s",
      says: "`askbox install --max-wait <S>` | seconds after which a call gets a ticket",
      tests: [
        "tests/clients/install-command.test.ts > askbox install > --tools, --agent and --max-wait stand in the entry as the flags of askbox mcp",
      ],
    },
    {
      id: "commands.askbox-install-prefer-tell",
      says: "`askbox install --prefer` | tell the agent to ask through askbox",
      tests: ["packages/clients/test/golden.test.ts > Claude Code with everything, as the golden file says"],
    },
    {
      id: "commands.askbox-install-exclusive-also",
      says: "`askbox install --exclusive` | also take the client's own question tool away",
      tests: [
        "packages/clients/test/golden.test.ts > %s can be denied its own tool",
        "packages/clients/test/golden.test.ts > %s has nothing to deny its own tool with, and says so",
      ],
    },
    {
      id: "commands.askbox-install-with-hooks-carry",
      says: "`askbox install --with-hooks` | carry the client's own questions to the inbox (claude-code)",
      tests: [
        "packages/clients/test/golden.test.ts > Claude Code with everything, as the golden file says",
        "tests/clients/hook-command.test.ts > askbox hook claude-code > puts the client's own question into the inbox and hands the answer back in its input",
      ],
    },
    {
      id: "commands.askbox-install-skill-teach",
      says: "`askbox install --skill` | teach the agent when and how to ask",
      tests: ["packages/clients/test/skill.test.ts > the skill for %s > names every tool, and every field that its schemas have"],
    },
    {
      id: "commands.askbox-install-worktree-folder",
      says: "`askbox install --worktree <folder>` | prepare a worktree for an agent that is not started yet (claude-code, with --agent)",
      tests: [
        "tests/clients/install-command.test.ts > askbox install claude-code --worktree > writes both files for an agent that is about to be started, out of git's sight, and without a token",
      ],
    },
    {
      id: "commands.askbox-install-list-list",
      says: "`askbox install --list` | list the clients",
      tests: ["tests/clients/install-command.test.ts > askbox install > and uninstall leave everything as it was, and say what they did"],
    },
    {
      id: "commands.askbox-install-dry-run-show",
      says: "`askbox install --dry-run` | show what would change, and change nothing",
      tests: [
        "tests/clients/install-command.test.ts > askbox install > with --dry-run shows a diff and writes nothing, not even a note of its own",
      ],
    },
    {
      id: "commands.askbox-install-json-print",
      says: "`askbox install --json` | print JSON",
      tests: [
        "tests/clients/install-command.test.ts > askbox install > with --dry-run shows a diff and writes nothing, not even a note of its own",
      ],
    },
    {
      id: "commands.askbox-uninstall-take-askbox",
      says: "`askbox uninstall`: Take askbox out of a client again.",
      tests: ["tests/clients/install-command.test.ts > askbox install > and uninstall leave everything as it was, and say what they did"],
    },
    {
      id: "commands.askbox-uninstall-client-client",
      says: '`askbox uninstall client` | the client (choices: "claude-code", "codex", "opencode", "cursor", "vscode", "gemini-cli", "antigravity", "windsurf", "zed")',
      tests: ["tests/clients/install-command.test.ts > askbox install > refuses %j with exit code 2 and one sentence"],
    },
    {
      id: "commands.askbox-uninstall-scope-user",
      says: "`askbox uninstall --scope <user|project>` | for you everywhere (default), or for the project",
      tests: ["tests/clients/install-command.test.ts > askbox install > --project names another folder than this one, for both ways"],
    },
    {
      id: "commands.askbox-uninstall-project-folder",
      says: "`askbox uninstall --project <folder>` | the project's folder (default: this one)",
      tests: ["tests/clients/install-command.test.ts > askbox install > --project names another folder than this one, for both ways"],
    },
    {
      id: "commands.askbox-uninstall-worktree-folder",
      says: "`askbox uninstall --worktree <folder>` | the worktree that was prepared",
      tests: [
        "tests/clients/install-command.test.ts > askbox install claude-code --worktree > writes both files for an agent that is about to be started, out of git's sight, and without a token",
      ],
    },
    {
      id: "commands.askbox-uninstall-dry-run-show",
      says: "`askbox uninstall --dry-run` | show what would change, and change nothing",
      tests: ["tests/clients/install-command.test.ts > askbox install > uninstall shows what it would do, and says as JSON what it did"],
    },
    {
      id: "commands.askbox-uninstall-json-print",
      says: "`askbox uninstall --json` | print JSON",
      tests: ["tests/clients/install-command.test.ts > askbox install > uninstall shows what it would do, and says as JSON what it did"],
    },
    {
      id: "commands.askbox-hook-carry-client",
      says: "`askbox hook`: Carry a client's own questions to the inbox: what its hook runs.",
      tests: [
        "tests/clients/hook-command.test.ts > askbox hook claude-code > puts the client's own question into the inbox and hands the answer back in its input",
      ],
    },
    {
      id: "commands.askbox-hook-client-client",
      says: '`askbox hook client` | the client (choices: "claude-code")',
      tests: [
        "tests/clients/hook-command.test.ts > askbox hook claude-code > has nothing to say of another tool, and starts no hub for it",
      ],
    },
    {
      id: "commands.askbox-hook-timeout-ms",
      says: "`askbox hook --timeout <ms>` | milliseconds to wait, 10000 to 1800000",
      tests: [
        "apps/askbox/test/hook-wait.test.ts > how long the hook waits > is %s",
        "apps/askbox/test/hook-wait.test.ts > how long the hook waits > is within what an ask may take, or nothing is asked and the client's own dialog comes up",
      ],
    },
    {
      id: "commands.askbox-doctor-say-wrong",
      says: "`askbox doctor`: Diagnose problems and suggest fixes.",
      tests: ["tests/command/hub-and-config.test.ts > askbox doctor > says what is wrong and how to fix it, and exits with 1"],
    },
    {
      id: "commands.askbox-doctor-client-name",
      says: "`askbox doctor --client <name>` | only how long this client waits for a call, and what was measured of it",
      tests: ["tests/clients/probe.test.ts > askbox mcp --probe notes how long a client waits, and doctor --client tells it"],
    },
    {
      id: "commands.askbox-doctor-json-print",
      says: "`askbox doctor --json` | print a JSON object: {ok, checks: [{check, status, message}]}",
      tests: [
        "tests/command/hub-and-config.test.ts > askbox doctor > finds nothing wrong in a new home, and makes nothing there",
        "tests/command/hub-and-config.test.ts > askbox doctor > examines the hub that runs, its store and its clock",
      ],
    },
    {
      id: "commands.askbox-completion-print-completions",
      says: "`askbox completion`: Print completions for bash, zsh or fish.",
      tests: [
        "apps/askbox/test/completion.test.ts > the Tab key > offers %s",
        "tests/command/completion.test.ts > in bash > commands, flags, values, files and ids are completed",
        "tests/command/completion.test.ts > in zsh > commands are completed",
        "tests/command/completion.test.ts > in fish > commands are completed",
      ],
    },
    {
      id: "commands.askbox-completion-shell-shell",
      says: '`askbox completion shell` | the shell (choices: "bash", "zsh", "fish")',
      tests: ["tests/command/completion.test.ts > an unknown shell is refused with the known ones"],
    },
    {
      id: "commands.askbox-demo-try-askbox",
      says: "`askbox demo`: Try askbox: an agent asks, you answer.",
      tests: ["tests/command/demo.test.ts > the demo prints a line to copy, and running it gives the agent its answer"],
    },
  ],
  explained: [],
};
