import type { PromisedPage } from "../promise.ts";

export const clientsPage: PromisedPage = {
  page: "docs/clients.md",
  promises: [
    {
      id: "clients.askbox-install-client-enters",
      says: "`askbox install CLIENT` enters askbox in a client's settings, and `askbox uninstall CLIENT` takes it out again.",
      tests: [
        "tests/clients/install-command.test.ts > askbox install > and uninstall leave everything as it was, and say what they did",
        "packages/clients/test/round-trip.test.ts > %s > gets its entry into a file %s, and out of it again to the byte",
      ],
    },
    {
      id: "clients.askbox-install-list-shows",
      says: "`askbox install --list` shows which clients are on this machine, and where askbox is set up.",
      tests: ["tests/clients/install-command.test.ts > askbox install > and uninstall leave everything as it was, and say what they did"],
    },
    {
      id: "clients.comments-layout-line-ends",
      says: "Comments, layout, line ends and a byte order mark stay as they are; links stay links and modes stay.",
      tests: [
        "packages/clients/test/round-trip.test.ts > %s > keeps every other line of the file as it is",
        "packages/clients/test/round-trip.test.ts > a file of settings > stays behind its symbolic link, and keeps its mode",
        "packages/clients/test/formats.test.ts > an edit of JSON > fits itself to %s",
        "packages/clients/test/formats.test.ts > an edit of TOML > goes in and out of a file with %s",
      ],
    },
    {
      id: "clients.file-written-whole-all",
      says: "A file is written whole or not at all.",
      tests: [
        "packages/clients/test/round-trip.test.ts > a file of settings > that cannot be written is named, and no half-written one is left beside it",
        "packages/clients/test/round-trip.test.ts > a file of settings > that another program writes between the look and the change is left alone",
      ],
    },
    {
      id: "clients.file-valid-left-alone",
      says: "A file that is not valid is left alone, and with it every other file of the same command; the message names line and column.",
      tests: [
        "packages/clients/test/round-trip.test.ts > a file of settings > one malformed file among several keeps all of them as they are",
        "packages/clients/test/round-trip.test.ts > %s > refuses a file that is %s, and names the line",
        "tests/clients/install-command.test.ts > askbox install > a malformed file is named with line and column, and left alone",
      ],
    },
    {
      id: "clients.running-twice-changes-nothing",
      says: "Running it twice changes nothing.",
      tests: [
        "packages/clients/test/round-trip.test.ts > %s > run twice, changes nothing the second time",
        "tests/clients/install-command.test.ts > askbox install > and uninstall leave everything as it was, and say what they did",
      ],
    },
    {
      id: "clients.running-other-options-makes",
      says: "Running it with other options makes it as those say: what was asked for before and is not any more is taken out.",
      tests: ["packages/clients/test/round-trip.test.ts > a file of settings > options that are left out the next time are taken back"],
    },
    {
      id: "clients.dry-run-shows-diff-writes",
      says: "`--dry-run` shows a diff and writes nothing.",
      tests: [
        "tests/clients/install-command.test.ts > askbox install > with --dry-run shows a diff and writes nothing, not even a note of its own",
      ],
    },
    {
      id: "clients.uninstall-gives-file-back",
      says: "`uninstall` gives a file back to the byte when nothing else in it has changed since, and removes one that askbox had made.",
      tests: [
        "packages/clients/test/round-trip.test.ts > %s > gets its entry into a file %s, and out of it again to the byte",
        "packages/clients/test/round-trip.test.ts > %s > where there was no file, leaves none, nor a folder",
      ],
    },
    {
      id: "clients.otherwise-takes-out-askbox",
      says: "Otherwise it takes out what is askbox's, and nothing else.",
      tests: ["packages/clients/test/round-trip.test.ts > %s > takes out only what is askbox's where a person has gone on writing"],
    },
    {
      id: "clients.was-written-noted-clients",
      says: "What was written is noted in `clients.json` in askbox's data folder; a copy of each file as it was lies beside it in `client-backups` for as long as askbox is set up.",
      tests: [
        "packages/clients/test/round-trip.test.ts > a file of settings > is copied as it was beside a note of what was written, for the owner alone and as long as askbox is set up",
      ],
    },
    {
      id: "clients.both-readable-their-owner",
      says: "Both are readable by their owner alone.",
      tests: [
        "packages/clients/test/round-trip.test.ts > a file of settings > is copied as it was beside a note of what was written, for the owner alone and as long as askbox is set up",
      ],
    },
    {
      id: "clients.no-token-written-where",
      says: "No token is written where a client can take one from the environment.",
      tests: [
        "packages/clients/test/golden.test.ts > no token is in any file that a client can do without",
        "tests/clients/install-command.test.ts > askbox install > --http names the hub's address and where the token is, and puts it in no file",
        "tests/clients/install-command.test.ts > askbox install claude-code --worktree > writes both files for an agent that is about to be started, out of git's sight, and without a token",
      ],
    },
    {
      id: "clients.entry-starts-askbox-absolute",
      says: "The entry starts askbox by absolute paths, and names the Node that runs now where the machine's own `node` is older than 22.13.",
      tests: [
        "apps/askbox/test/launch.test.ts > the command that a client starts > is the installed one where the machine's own Node is new enough",
        "apps/askbox/test/launch.test.ts > the command that a client starts > names the Node that runs now where the machine's own is %s",
      ],
    },
    {
      id: "clients.where-askbox-home-xdg",
      says: "Where `ASKBOX_HOME` or an XDG folder is set, the entry says so, since some clients hand on no environment.",
      tests: [
        "tests/clients/install-command.test.ts > askbox install > writes an entry that a real client starts, from a folder and with an environment of its own",
        "packages/clients/test/golden.test.ts > an entry names an XDG folder that is set, and ASKBOX_HOME instead of it, since a client may hand on neither",
      ],
    },
    {
      id: "clients.scope-project-everybody-works",
      says: "`--scope project` | for everybody who works in the folder, instead of for you everywhere; `--project DIR` names another folder than this one",
      tests: [
        "packages/clients/test/golden.test.ts > %s > $title: %s settings, %s, as the golden file says",
        "tests/clients/install-command.test.ts > askbox install > --project names another folder than this one, for both ways",
      ],
    },
    {
      id: "clients.http-client-reaches-running",
      says: "`--http` | the client reaches a running hub by URL: [MCP over HTTP](http.md)",
      tests: [
        "tests/clients/install-command.test.ts > askbox install > --http names the hub's address and where the token is, and puts it in no file",
      ],
    },
    {
      id: "clients.tools-b-other-tools",
      says: "`--tools a,b` | other tools than the client's default",
      tests: [
        "tests/clients/install-command.test.ts > askbox install > --tools, --agent and --max-wait stand in the entry as the flags of askbox mcp",
      ],
    },
    {
      id: "clients.agent-id-max-wait-s",
      says: "`--agent ID`, `--max-wait S` | as the flags of `askbox mcp`",
      tests: [
        "tests/clients/install-command.test.ts > askbox install > --tools, --agent and --max-wait stand in the entry as the flags of askbox mcp",
        "tests/clients/install-command.test.ts > askbox install claude-code --worktree > writes both files for an agent that is about to be started, out of git's sight, and without a token",
      ],
    },
    {
      id: "clients.prefer-adds-few-lines",
      says: "`--prefer` | adds a few lines to what the client's agent reads (CLAUDE.md, AGENTS.md, GEMINI.md, rules), between two marks: ask through askbox",
      tests: [
        "packages/clients/test/golden.test.ts > Claude Code with everything, as the golden file says",
        "packages/clients/test/formats.test.ts > a block in a text > goes in and out of %j",
      ],
    },
    {
      id: "clients.exclusive-also-takes-client",
      says: "`--exclusive` | also takes the client's own question tool away: Claude Code, OpenCode, Gemini CLI",
      tests: [
        "packages/clients/test/golden.test.ts > %s can be denied its own tool",
        "packages/clients/test/golden.test.ts > %s has nothing to deny its own tool with, and says so",
      ],
    },
    {
      id: "clients.skill-skill-same-agents",
      says: "`--skill` | a skill, or the same in AGENTS.md or rules, that teaches when and how to ask; made from the tools' own schemas",
      tests: [
        "packages/clients/test/skill.test.ts > the skill for %s > names every tool, and every field that its schemas have",
        "packages/clients/test/skill.test.ts > the skill for %s > says every limit and default of the schemas",
      ],
    },
    {
      id: "clients.with-hooks-claude-code-only",
      says: "`--with-hooks` | Claude Code only: its own questions come into the inbox too",
      tests: [
        "packages/clients/test/golden.test.ts > Claude Code with everything, as the golden file says",
        "tests/clients/install-command.test.ts > askbox install > refuses %j with exit code 2 and one sentence",
      ],
    },
    {
      id: "clients.json-prints-was-done",
      says: "`--json` | prints what was done as JSON",
      tests: [
        "tests/clients/install-command.test.ts > askbox install > with --dry-run shows a diff and writes nothing, not even a note of its own",
      ],
    },
  ],
  explained: [],
};
