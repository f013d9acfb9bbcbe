import type { PromisedPage } from "../promise.ts";

export const readmePage: PromisedPage = {
  page: "README.md",
  promises: [
    {
      id: "readme.askbox-lets-coding-agent",
      says: "askbox lets a coding agent put structured questions to a person in the middle of its work, and go on with the answers in the same call.",
      tests: [
        "tests/end-to-end/agent-and-person.test.ts > an agent on %s and a person in another terminal > example $title is answered with `askbox answer`",
        "tests/command/ask-and-answer.test.ts > askbox in a shell > a question is listed, shown and answered from another process, and the hub starts by itself",
      ],
    },
    {
      id: "readme.agent-asks-over-mcp",
      says: "The agent asks over [MCP](https://modelcontextprotocol.io) or from a shell; all questions of all agents on a machine come into one inbox, and wait there on disk.",
      tests: [
        "tests/command/ask-and-answer.test.ts > askbox in a shell > a question is listed, shown and answered from another process, and the hub starts by itself",
        "packages/core/src/testing/store-contract/durable.ts > has every session and draft after it is reopened",
        "tests/requirements/list/answers.ts > the person sees which client asks, and in which project",
      ],
    },
    {
      id: "readme.person-answers-browser-terminal",
      says: "A person answers in a browser or a terminal: the first answer wins, silence is never taken for one, and an agent can ask but not answer.",
      tests: [
        "packages/core/src/testing/desk-contract/settling.ts > of two answers at once the first wins and the other is told who gave it",
        "tests/faults/first-answer-wins.test.ts > the first answer wins > of two answers at the same instant, a thousand times: one winner, and the loser is told who it was and where",
        "packages/hub/test/access.test.ts > a token > of the scope %s may do what its scope says and no more",
        "tests/faults/history/check.test.ts > the checker of histories > rejects $fault",
      ],
    },
    {
      id: "readme.start-runs-askbox-demo",
      says: "`start` runs `askbox demo`: it starts a hub in a folder of its own, and an agent that calls the MCP tool `ask_user`.",
      tests: ["tests/command/demo.test.ts > the demo prints a line to copy, and running it gives the agent its answer"],
    },
    {
      id: "readme.prints-questions-link-answer",
      says: "It prints the questions, a link to answer them in a browser, and lines to answer them from a second terminal; take whichever you like, and see what the agent receives.",
      tests: ["tests/command/demo.test.ts > the demo prints a line to copy, and running it gives the agent its answer"],
    },
    {
      id: "readme.ctrl-c-ends-demo-removes",
      says: "Ctrl-C ends the demo and removes what it made.",
      tests: ["tests/command/demo.test.ts > %s ends the demo with everything it started"],
    },
    {
      id: "readme.first-these-commands-also",
      says: "The first of these commands also installs a Node 24 for the workspace itself.",
      tests: [
        "apps/askbox/test/launch.test.ts > the command that a client starts > is a workspace's launcher, which takes the workspace's Node",
      ],
    },
    {
      id: "readme.node-modules-bin-askbox",
      says: "`node_modules/.bin/askbox` is the command from then on, and runs on that Node whatever the machine has.",
      tests: [
        "apps/askbox/test/launch.test.ts > the command that a client starts > is a workspace's launcher, which takes the workspace's Node",
      ],
    },
    {
      id: "readme.elsewhere-command-needs-node",
      says: "Elsewhere the command needs Node 22.13.",
      tests: [
        "apps/askbox/test/launch.test.ts > the command that a client starts > names the Node that runs now where the machine's own is %s",
      ],
    },
    {
      id: "readme.one-command-sets-client",
      says: "One command sets a client up, and one takes it out again; its settings are then as they were, to the byte.",
      tests: [
        "tests/clients/install-command.test.ts > askbox install > and uninstall leave everything as it was, and say what they did",
        "packages/clients/test/round-trip.test.ts > %s > gets its entry into a file %s, and out of it again to the byte",
      ],
    },
    {
      id: "readme.prefer-tells-agent-ask",
      says: "`--prefer` tells the agent to ask through askbox, `--skill` teaches it when and how, and `--with-hooks` carries Claude Code's own questions to the inbox too.",
      tests: [
        "packages/clients/test/golden.test.ts > Claude Code with everything, as the golden file says",
        "packages/clients/test/skill.test.ts > the skill for %s > names every tool, and every field that its schemas have",
        "tests/clients/hook-command.test.ts > askbox hook claude-code > puts the client's own question into the inbox and hands the answer back in its input",
      ],
    },
    {
      id: "readme.entry-starts-askbox-path",
      says: "The entry starts askbox by its path on this machine, with a Node that is new enough; the hub starts by itself when the first question comes.",
      tests: [
        "apps/askbox/test/launch.test.ts > the command that a client starts > is the installed one where the machine's own Node is new enough",
        "apps/askbox/test/launch.test.ts > the command that a client starts > names the Node that runs now where the machine's own is %s",
        "tests/clients/install-command.test.ts > askbox install > writes an entry that a real client starts, from a folder and with an environment of its own",
        "tests/command/ask-and-answer.test.ts > askbox in a shell > a question is listed, shown and answered from another process, and the hub starts by itself",
      ],
    },
    {
      id: "readme.install-raises-where-client",
      says: "`install` raises it where the client has a setting for it.",
      tests: ["packages/clients/test/golden.test.ts > %s > $title: %s settings, %s, as the golden file says"],
    },
    {
      id: "readme.otherwise-askbox-comes-back",
      says: "Otherwise askbox comes back just before with a *ticket*: the agent is told to call `get_answer`, which goes on waiting.",
      tests: [
        "tests/requirements/list/tickets.ts > a call that has to come back brings a ticket in both fields, and the session stays open",
        "tests/requirements/list/calls.ts > each client's call comes back with a ticket before the client gives up",
        "tests/requirements/list/tickets.ts > get_answer goes on waiting for its session and brings the answer",
      ],
    },
    {
      id: "readme.nothing-lost",
      says: "Nothing is lost by it.",
      tests: [
        "tests/requirements/list/tickets.ts > get_answer goes on waiting for its session and brings the answer",
        "tests/requirements/list/tickets.ts > an answer that came while nobody waited comes along with the next result, once",
      ],
    },
    {
      id: "readme.tools-chooses-server-offers",
      says: "`--tools` chooses what the server offers; askbox stands in for tools that agents may know already ([all about them](docs/tools.md)):",
      tests: [
        "apps/mcp-http/test/mcp-access.test.ts > who asks > gets the tools that the address names, and a sentence when it names others",
        "packages/mcp/test/schemas.test.ts > the published schemas > every dialect publishes a tool of its own name",
      ],
    },
    {
      id: "readme.ask-user-default-same",
      says: "`ask_user` (the default), or the same as `cn_ask_user` | 1–10 questions: text, choices, yes or no and more; also in the shapes of other agents' built-in ask tools | JSON",
      tests: [
        "tests/requirements/list/input.ts > ten questions of 1,000 characters, a title of 100 and the longest timeout are taken",
        "tests/requirements/list/schema.ts > cn_ask_user is ask_user by another name",
        "packages/core/test/lenient-input.test.ts > an ask in the shape of > %s is understood",
        "tests/requirements/list/answers.ts > the text is the JSON of exactly the structured content, and tells who answered",
      ],
    },
    {
      id: "readme.ask-user-questions-1",
      says: "`ask_user_questions` | 1–4 questions of 2–4 options | the answers as a numbered text",
      tests: [
        "tests/requirements/list/ask-user-questions.ts > the schema: 1-4 questions of prompt, title, 2-4 options of label and description, and multiSelect",
        "tests/requirements/list/ask-user-questions.ts > successful flow: the text numbers the questions, with chosen labels and descriptions, own words, or that nothing was answered",
      ],
    },
    {
      id: "readme.ask-human-one-question",
      says: "`ask_human` | one question in plain words, with the agent's id | the reply as it was written",
      tests: [
        "tests/requirements/list/ask-human.ts > the tool takes question and agent_id, and its description says to pass the id as it was given",
        "tests/requirements/list/ask-human.ts > the call blocks until the person replies, and its result is the reply as it was written",
      ],
    },
  ],
  explained: [
    {
      because: "advice",
      says: [
        "You need Node 20 or newer with npm, on Linux, macOS or Windows.",
        "[Clients](docs/clients.md) has all options, and what is written for each client.",
      ],
    },
    {
      because: "elsewhere",
      says: ["Clients give up on a call that takes long, each after its own time."],
    },
  ],
};
