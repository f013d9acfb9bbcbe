import type { PromisedPage } from "../promise.ts";

export const readmeSurfacesPage: PromisedPage = {
  page: "README.md",
  promises: [
    {
      id: "readme.askbox-mcp-surfaces-inbox",
      says: "`askbox mcp --surfaces inbox,client` also puts each question into the form of the agent's client, where the client has one (Claude Code and Codex do).",
      tests: [
        "packages/mcp/test/client-form.test.ts > the client's own form beside the inbox, in a client of %s > settles the question when its person accepts, and the inbox says where",
        "tests/mcp/client-form.test.ts > the client's own form over %s > settles the question of a client of %s, and the inbox knows where",
      ],
    },
    {
      id: "readme.first-answer-wins-there",
      says: "The first answer wins, there or in the inbox.",
      tests: [
        "packages/mcp/test/client-form.test.ts > the client's own form beside the inbox, in a client of %s > settles the question when its person accepts, and the inbox says where",
        "packages/core/src/testing/asker-contract/forms.ts > of a form and a desk the first wins, and the second is told",
        "tests/mcp/client-form.test.ts > the client's own form over %s > goes when the inbox is answered first",
      ],
    },
    {
      id: "readme.hub-takes-answers-there",
      says: "The hub takes answers from there only once you have allowed it, because they come from the agent's side:",
      tests: [
        "packages/core/src/testing/asker-contract/forms.ts > an answer from a client's own form is refused unless it was allowed, and changes nothing",
        "tests/mcp/client-form.test.ts > a hub takes answers from clients' forms once its person has said so in its config, and not before",
      ],
    },
    {
      id: "readme.client-declines-dismisses-itself",
      says: "What a client declines or dismisses by itself closes nothing.",
      tests: [
        "packages/mcp/test/client-form.test.ts > the client's own form beside the inbox, in a client of %s > closes nothing when the client says %s by itself: the inbox is waited for",
        "tests/mcp/client-form.test.ts > the client's own form over %s > closes nothing when a client of %s declines by itself",
      ],
    },
    {
      id: "readme.clients-protocol-2026-07-28-such",
      says: "With clients of protocol 2026-07-28, such as Claude Code, the form cannot be taken back: after an answer in the inbox, dismiss it, and the agent goes on.",
      tests: [
        "packages/mcp/test/client-form.test.ts > the client's own form since 2026-07-28 > gives way to an answer that the inbox was given meanwhile",
      ],
    },
    {
      id: "readme.while-no-inbox-open",
      says: "While no inbox is open, askbox calls you when an agent asks.",
      tests: [
        "packages/attention/test/batches.test.ts > a call for attention > is made 1.5 s after a question that comes while nobody is there",
        "packages/attention/test/batches.test.ts > a call for attention > is not made while somebody is there",
      ],
    },
    {
      id: "readme.browser-web-inbox-opens",
      says: "`browser` | the web inbox opens, once for each run of the hub; the default on a desktop",
      tests: [
        "packages/attention/test/browser.test.ts > the browser > is opened once in a hub's run",
        "packages/attention/test/browser.test.ts > the browser > is opened on %s with %o by %s, without a shell",
        "packages/attention/test/default-attention.test.ts > the default way to call a person > on %s with %o is %s",
      ],
    },
    {
      id: "readme.notify-notification-system-names",
      says: "`notify` | a notification of the system, which names agent and project; `askbox config set notifyText false` keeps the question out of it",
      tests: [
        "packages/attention/test/notify.test.ts > the text of a notification > names agent and project, and gives the title",
        "packages/attention/test/notify.test.ts > the text of a notification > holds neither title nor question when text is not to be shown, only how many there are",
      ],
    },
    {
      id: "readme.terminal-tmux-popup-next",
      says: "`terminal` | a tmux popup with the next question",
      tests: [
        "packages/attention/test/terminal.test.ts > the popup > shows the terminal inbox of this home on the client used last, leaving out programs that control tmux",
        "packages/attention/test/tmux.test.ts > a real tmux > shows one popup at a time, which runs `askbox --once` without a shell, in the home of the hub",
      ],
    },
    {
      id: "readme.command-command-attentioncommand-runs",
      says: "`command` | the command in `attentionCommand` runs, with the facts in its environment and as JSON on its standard input",
      tests: [
        "packages/attention/test/command.test.ts > the person's own command > is run by the shell with the facts in its environment and all sessions on stdin",
      ],
    },
    {
      id: "readme.none-nothing-default-without",
      says: "`none` | nothing; the default without a display",
      tests: [
        "packages/attention/test/batches.test.ts > a call for attention > is never made in mode `none`, which does not even watch",
        "packages/attention/test/default-attention.test.ts > the default way to call a person > on %s with %o is %s",
      ],
    },
  ],
  explained: [
    {
      because: "advice",
      says: ["`askbox config set attention MODE` says how:"],
    },
  ],
};
