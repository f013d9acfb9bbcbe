import type { PromisedPage } from "../promise.ts";

export const startPage: PromisedPage = {
  page: "docs/start.md",
  promises: [
    {
      id: "start.builds-command-runs-askbox",
      says: "That builds the command and runs `askbox demo`.",
      tests: [
        "tests/command/demo.test.ts > the demo prints a line to copy, and running it gives the agent its answer",
        "tests/docs/scripts.test.ts > each script of pnpm in the docs is there > in %s",
      ],
    },
    {
      id: "start.hub-starts-folder-agent",
      says: "A hub starts in a folder of its own, and an agent calls the tool `ask_user`.",
      tests: ["tests/command/demo.test.ts > the demo prints a line to copy, and running it gives the agent its answer"],
    },
    {
      id: "start.demo-prints-questions-link",
      says: "The demo prints the questions, a link to answer them in a browser, and lines to answer them from a second terminal.",
      tests: ["tests/command/demo.test.ts > the demo prints a line to copy, and running it gives the agent its answer"],
    },
    {
      id: "start.ctrl-c-ends-demo",
      says: "Ctrl-C ends the demo and removes what it made.",
      tests: ["tests/command/demo.test.ts > %s ends the demo with everything it started"],
    },
    {
      id: "start.node-modules-bin-askbox",
      says: "From then on `node_modules/.bin/askbox` is the command, and below it is called `askbox`.",
      tests: [
        "apps/askbox/test/launch.test.ts > the command that a client starts > is a workspace's launcher, which takes the workspace's Node",
      ],
    },
    {
      id: "start.needs-node-22-13",
      says: "It needs Node 22.13 where it does not run on the workspace's own Node.",
      tests: [
        "tests/published/cases/command.ts > the command from the tarball > on Node $tooOld says in one line that it needs a newer one (askbox %s)",
        "tests/published/cases/command.ts > the command from the tarball > is run by npx on Node %s",
      ],
    },
    {
      id: "start.command-waits",
      says: "The command waits.",
      tests: [
        "tests/command/ask-and-answer.test.ts > askbox in a shell > a question is listed, shown and answered from another process, and the hub starts by itself",
      ],
    },
    {
      id: "start.terminal-takes-answer",
      says: "In a terminal it takes the answer there and then.",
      tests: [
        "tests/command/answer-in-terminal.test.ts > askbox ask in a terminal > shows the form there and then, and gives the answer to the script",
      ],
    },
    {
      id: "start.whoever-answers-first-answered",
      says: "Whoever answers first has answered: the command that waits prints the answer and ends with exit code 0.",
      tests: [
        "apps/askbox/test/ask.test.ts > askbox ask > prints a single answer alone, for a shell to take",
        "tests/command/answer-in-terminal.test.ts > askbox ask in a terminal > shows what is typed to others, and gives way when somebody answers elsewhere",
        "tests/command/ask-and-answer.test.ts > askbox in a shell > a question is listed, shown and answered from another process, and the hub starts by itself",
      ],
    },
    {
      id: "start.hub-starts-itself-first",
      says: "The hub starts by itself when the first question comes, and leaves when nobody needs it.",
      tests: [
        "tests/command/ask-and-answer.test.ts > askbox in a shell > a question is listed, shown and answered from another process, and the hub starts by itself",
        "apps/mcp-http/test/idle-exit.test.ts > an idle hub > leaves once nobody has been there for long enough",
        "apps/mcp-http/test/idle-exit.test.ts > an idle hub > stays while somebody is connected or something is pending, and counts from the end of it",
      ],
    },
    {
      id: "start.while-inbox-open-askbox",
      says: "While no inbox is open, askbox calls you: on a desktop it opens the web inbox.",
      tests: [
        "packages/attention/test/batches.test.ts > a call for attention > is made 1.5 s after a question that comes while nobody is there",
        "packages/attention/test/batches.test.ts > a call for attention > is not made while somebody is there",
        "packages/attention/test/browser.test.ts > the browser > is opened once in a hub's run",
        "packages/attention/test/browser.test.ts > the browser > is opened on %s with %o by %s, without a shell",
        "packages/attention/test/default-attention.test.ts > the default way to call a person > on %s with %o is %s",
      ],
    },
    {
      id: "start.told-question-other-ways",
      says: "[Be told of a question](attention.md) has the other ways, and the web inbox has notifications of its own.",
      tests: [
        "tests/web/preferences.test.ts > a question that comes while the page is not in front is told by a notification, if the person lets it",
      ],
    },
    {
      id: "start.says-wrong-how-fix",
      says: "says what is wrong and how to fix it.",
      tests: ["tests/command/hub-and-config.test.ts > askbox doctor > says what is wrong and how to fix it, and exits with 1"],
    },
  ],
  explained: [
    {
      because: "advice",
      says: [
        "You need Node 20 or newer with npm, on Linux, macOS or Windows.",
        "From a clone of the repository:",
        "Take whichever you like, and see what the agent receives.",
        "To answer elsewhere, open a second terminal:",
        "Start the client again, and tell the agent to ask you something.",
        "[Clients](clients.md) has what is written for each, and how to take it out again.",
        "[Concepts](concepts.md): the few words that the rest of these pages use.",
        "[Types of questions](question-types.md): what can be asked.",
        "[Operations](operations.md): files, logs, figures, backups, upgrades.",
        "[Embed it](embedding.md): the same without a hub, in a program of your own.",
      ],
    },
  ],
};
