import type { PromisedPage } from "../promise.ts";

export const commandLinePage: PromisedPage = {
  page: "docs/command-line.md",
  promises: [
    {
      id: "command-line.id-shortened-first-4",
      says: "An id may be shortened to its first 4 characters or more, as long as that is unique.",
      tests: [
        "packages/core/src/testing/desk-contract/settling.ts > an id may be shortened to a unique prefix of 4 characters",
        "apps/askbox/test/list-and-show.test.ts > askbox show > refuses an id that is unknown, too short or not unique",
      ],
    },
    {
      id: "command-line.typed-checked-never-guessed",
      says: "What is typed is checked and never guessed.",
      tests: [
        "packages/core/test/questions/number.test.ts > a number > is not guessed from %j",
        "apps/askbox/test/answer-and-cancel.test.ts > askbox answer > does not guess what %s means",
        "tests/web/typed-answers.test.ts > nothing is filled in, limits are told, and what is wrong is said once a field was left",
      ],
    },
    {
      id: "command-line.after-deadline-answer-sends",
      says: "After the deadline `answer` sends a reply: the timeout stands, and the agent gets your words with its next question.",
      tests: [
        "apps/askbox/test/wait-and-extend.test.ts > askbox answer after the deadline > is a reply, and says what becomes of it",
        "packages/core/src/testing/desk-contract/deadlines.ts > a reply is taken after a timeout alone, and once",
        "packages/core/src/testing/asker-contract/asking-again.ts > a reply after the deadline is told as an earlier outcome, once delivered no more",
      ],
    },
    {
      id: "command-line.inside-coding-agent-s",
      says: "Inside a coding agent's own shell `answer`, `cancel`, `extend`, `open`, `token` and the inbox refuse: an agent must not answer itself.",
      tests: [
        "apps/askbox/test/answer-and-cancel.test.ts > askbox answer > %s refuses within an agent's shell",
        "apps/askbox/test/wait-and-extend.test.ts > askbox extend > refuses less than is left, what is no time, and an agent",
        "tests/command/open.test.ts > askbox open --print > is refused in an agent's shell, since whoever has the link can answer",
        "tests/command/tokens.test.ts > askbox token > makes nothing in an agent's shell, since that could answer with it",
        "tests/command/answer-in-terminal.test.ts > the inbox does not open in an agent's shell, unless the config lets agents answer; it prints what waits",
      ],
    },
    {
      id: "command-line.allowanswerfromagents-config-json-lets",
      says: "`allowAnswerFromAgents` in `config.json` lets them through.",
      tests: [
        "tests/command/ask-and-answer.test.ts > askbox in a shell > agents ask but do not answer, unless the config lets them",
        "tests/command/answer-in-terminal.test.ts > the inbox does not open in an agent's shell, unless the config lets agents answer; it prints what waits",
      ],
    },
    {
      id: "command-line.questions-json-askinput",
      says: "`questions.json` is an [`AskInput`](shapes.md#askinput):",
      tests: ["apps/askbox/test/ask.test.ts > askbox ask > reads the tool's input from a file"],
    },
    {
      id: "command-line.terminal-askbox-ask-takes",
      says: "In a terminal `askbox ask` also takes the answer there and then; whichever answer is first, there or elsewhere, wins.",
      tests: [
        "tests/command/answer-in-terminal.test.ts > askbox ask in a terminal > shows the form there and then, and gives the answer to the script",
        "tests/command/answer-in-terminal.test.ts > askbox ask in a terminal > shows what is typed to others, and gives way when somebody answers elsewhere",
      ],
    },
    {
      id: "command-line.ending-ctrl-c-takes",
      says: "Ending it with Ctrl-C takes the question back.",
      tests: [
        "tests/command/answer-in-terminal.test.ts > askbox ask in a terminal > Ctrl-C takes the question back",
        "apps/askbox/test/ask.test.ts > askbox ask > takes the question back at Ctrl-C",
      ],
    },
    {
      id: "command-line.0-answered-done",
      says: "0 | answered, or done",
      tests: ["apps/askbox/test/ask.test.ts > askbox ask > prints a single answer alone, for a shell to take"],
    },
    {
      id: "command-line.1-failed",
      says: "1 | failed",
      tests: [
        "tests/command/hub-and-config.test.ts > askbox hub > that cannot run beside another says so with exit code 1, and with --json in a document",
      ],
    },
    {
      id: "command-line.2-wrong-usage",
      says: "2 | wrong usage",
      tests: [
        "tests/command/ask-and-answer.test.ts > bad input > %j is wrong usage: exit code 2 and one sentence",
        "apps/askbox/test/ask.test.ts > askbox ask > refuses %s with exit code 2 and asks nothing",
      ],
    },
    {
      id: "command-line.3-cancelled",
      says: "3 | cancelled",
      tests: [
        "apps/askbox/test/ask.test.ts > askbox ask > exits with 3 when it is cancelled",
        "tests/command/ask-and-answer.test.ts > askbox in a shell > exit codes say how it ended: cancelled, taken back by Ctrl-C, timed out",
      ],
    },
    {
      id: "command-line.4-timed-askbox-wait",
      says: "4 | timed out; with `askbox wait --timeout`, still open",
      tests: [
        "apps/askbox/test/ask.test.ts > askbox ask > exits with 4 when nobody answers in time",
        "tests/command/ask-and-answer.test.ts > askbox in a shell > exit codes say how it ended: cancelled, taken back by Ctrl-C, timed out",
        "apps/askbox/test/wait-and-extend.test.ts > askbox wait > comes back with a ticket when its time is over, and the question stays",
      ],
    },
    {
      id: "command-line.5-hub-could-reached",
      says: "5 | no hub could be reached or started",
      tests: [
        "apps/askbox/test/ask.test.ts > askbox ask > a hub that is not there is exit code 5",
        "tests/command/ask-and-answer.test.ts > bad input > where no hub answers, that is exit code 5",
      ],
    },
    {
      id: "command-line.json-prints-json-document",
      says: "`--json` prints one JSON document on standard output and nothing else, errors included.",
      tests: [
        "tests/command/answer-in-terminal.test.ts > askbox ask in a terminal > prints nothing but the result on stdout with --json",
        "apps/askbox/test/ask.test.ts > askbox ask > prints the tool's result with --json, and marks it delivered",
        "apps/askbox/test/list-and-show.test.ts > askbox list > filters by status and prints the sessions as JSON",
        "tests/command/ask-and-answer.test.ts > bad input > where no hub answers, that is exit code 5",
        "tests/command/ask-and-answer.test.ts > bad input > 2 MB are refused with a sentence, and what is pending stays pending",
      ],
    },
    {
      id: "command-line.examples-ci-approval-deploy",
      says: "[`examples/ci-approval/deploy.sh`](../examples/ci-approval/deploy.sh) is a CI job that does the same by exit codes.",
      tests: [
        "tests/examples/ci-approval.test.ts > the job deploys after a yes",
        "tests/examples/ci-approval.test.ts > the job does not deploy after a no, nor when the question is turned down",
        "tests/examples/ci-approval.test.ts > the job does not take silence for a yes",
      ],
    },
    {
      id: "command-line.hub-url-token-file",
      says: "`--hub URL --token-file FILE`, or `ASKBOX_HUB` and `ASKBOX_TOKEN`, point every command at a hub elsewhere.",
      tests: [
        "tests/command/remote-hub.test.ts > every command works at another hub, and none is started here",
        "apps/hub/test/connect.test.ts > the way to the hub > leads to a given hub with a given token, or with this home's when it is this home's",
      ],
    },
    {
      id: "command-line.token-comes-askbox-token",
      says: "A token comes from `askbox token create`: of scope `asker` to ask, of scope `desk` to answer.",
      tests: [
        "tests/command/tokens.test.ts > askbox token > makes a token for an agent elsewhere, which asks until it is revoked, and not a moment longer",
        "packages/hub/test/tokens.test.ts > a named token > of the scope asker asks, and its sessions are no other token's",
        "packages/hub/test/tokens.test.ts > a named token > of the scope desk answers, over REST and the wire",
      ],
    },
    {
      id: "command-line.askbox-help-completion-says",
      says: "`askbox help completion` says how to make that last.",
      tests: ["apps/askbox/test/help.test.ts > help about completions says for each shell how to make them last"],
    },
    {
      id: "command-line.askbox-help-lists-askbox",
      says: "`askbox help` lists them, and `askbox help answer` has everything about one, with examples.",
      tests: ["apps/askbox/test/help.test.ts > %s is in the help, and has a help of its own with examples"],
    },
  ],
  explained: [{ because: "advice", says: ["[Shapes](shapes.md) has what is in it.", "[More on tokens](http.md#the-token)."] }],
};
