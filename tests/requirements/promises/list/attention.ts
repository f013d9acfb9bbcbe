import type { PromisedPage } from "../promise.ts";

export const attentionPage: PromisedPage = {
  page: "docs/attention.md",
  promises: [
    {
      id: "attention.while-inbox-open-askbox",
      says: "While no inbox is open, askbox calls you when an agent asks.",
      tests: [
        "packages/attention/test/batches.test.ts > a call for attention > is made 1.5 s after a question that comes while nobody is there",
        "packages/attention/test/batches.test.ts > a call for attention > is not made while somebody is there",
      ],
    },
    {
      id: "attention.browser-web-inbox-opens",
      says: "`browser` | the web inbox opens, once for each run of the hub; the default on a desktop",
      tests: [
        "packages/attention/test/browser.test.ts > the browser > is opened once in a hub's run",
        "packages/attention/test/browser.test.ts > the browser > is opened on %s with %o by %s, without a shell",
        "packages/attention/test/default-attention.test.ts > the default way to call a person > on %s with %o is %s",
      ],
    },
    {
      id: "attention.notify-notification-system-names",
      says: "`notify` | a notification of the system, which names agent and project",
      tests: ["packages/attention/test/notify.test.ts > the text of a notification > names agent and project, and gives the title"],
    },
    {
      id: "attention.terminal-tmux-popup-next",
      says: "`terminal` | a tmux popup with the next question; tmux 3.2 or later",
      tests: [
        "packages/attention/test/terminal.test.ts > the popup > shows the terminal inbox of this home on the client used last, leaving out programs that control tmux",
        "packages/attention/test/tmux.test.ts > a real tmux > shows one popup at a time, which runs `askbox --once` without a shell, in the home of the hub",
        "packages/attention/test/attention-problems.test.ts > what keeps attention from working > for popups is a missing or old tmux, or nobody attached",
      ],
    },
    {
      id: "attention.command-command-attentioncommand-runs",
      says: "`command` | the command in `attentionCommand` runs",
      tests: [
        "packages/attention/test/command.test.ts > the person's own command > is run by the shell with the facts in its environment and all sessions on stdin",
      ],
    },
    {
      id: "attention.none-nothing-default-without",
      says: "`none` | nothing; the default without a display, and over SSH",
      tests: [
        "packages/attention/test/batches.test.ts > a call for attention > is never made in mode `none`, which does not even watch",
        "packages/attention/test/default-attention.test.ts > the default way to call a person > on %s with %o is %s",
      ],
    },
    {
      id: "attention.happens-1-5-seconds",
      says: "It happens 1.5 seconds after the first question of a batch, if nobody has opened or answered it by then, and once for each question.",
      tests: [
        "packages/attention/test/batches.test.ts > a call for attention > is made 1.5 s after a question that comes while nobody is there",
        "packages/attention/test/batches.test.ts > a call for attention > is one for all the questions that come within 1.5 s of the first, and another for the next",
        "packages/attention/test/batches.test.ts > a call for attention > leaves out what somebody has had open, has begun to answer, or has an answer on its way",
        "packages/attention/test/batches.test.ts > a call for attention > leaves out what was settled before the batch leaves, and is not made when nothing is left",
        "packages/attention/test/batches.test.ts > a call for attention > is made once for a session, however often it changes",
      ],
    },
    {
      id: "attention.askbox-attention-does-same",
      says: "`ASKBOX_ATTENTION` does the same for one run of the hub.",
      tests: [
        "packages/home/test/config.test.ts > the settings > take %s=%s",
        "packages/home/test/config.test.ts > the settings > come from the flag before the environment before the file before the default",
        "tests/command/hub-and-config.test.ts > askbox doctor > says what keeps a person from being called, in the mode that the environment sets",
      ],
    },
    {
      id: "attention.askbox-doctor-says-keeps",
      says: "`askbox doctor` says what keeps a mode from working here.",
      tests: [
        "tests/command/hub-and-config.test.ts > askbox doctor > says what keeps a person from being called, in the mode that the environment sets",
        "packages/attention/test/attention-problems.test.ts > what keeps attention from working > for a browser is SSH, a missing opener or a missing display",
        "packages/attention/test/attention-problems.test.ts > what keeps attention from working > for notifications is a missing tool or a desktop that cannot be reached",
        "packages/attention/test/attention-problems.test.ts > what keeps attention from working > for popups is a missing or old tmux, or nobody attached",
        "packages/attention/test/attention-problems.test.ts > what keeps attention from working > for a command is that there is none",
      ],
    },
    {
      id: "attention.askbox-config-set-notifytext",
      says: "`askbox config set notifyText false` keeps titles and questions out of notifications, and out of what your command is told.",
      tests: [
        "packages/attention/test/notify.test.ts > the text of a notification > holds neither title nor question when text is not to be shown, only how many there are",
        "packages/attention/test/command.test.ts > the person's own command > is told neither title nor question when text is not to be shown, whatever the hub's environment holds",
      ],
    },
    {
      id: "attention.shell-runs-30-seconds",
      says: "Your shell runs it, for 30 seconds at most.",
      tests: [
        "packages/attention/test/processes.test.ts > a real command > is run by the shell, with facts that the shell does not run",
        "packages/attention/test/processes.test.ts > a real command > that takes longer than 30 s is stopped with what it started, even if %s",
      ],
    },
    {
      id: "attention.gets-facts-first-question",
      says: "It gets the facts of the first question in its environment, and those of all of them as JSON on its standard input.",
      tests: [
        "packages/attention/test/command.test.ts > the person's own command > is run by the shell with the facts in its environment and all sessions on stdin",
      ],
    },
    {
      id: "attention.askbox-session-id-session",
      says: "`ASKBOX_SESSION_ID` | the session's id",
      tests: [
        "packages/attention/test/command.test.ts > the person's own command > is run by the shell with the facts in its environment and all sessions on stdin",
      ],
    },
    {
      id: "attention.askbox-count-how-many",
      says: "`ASKBOX_COUNT` | how many sessions wait to be told of",
      tests: [
        "packages/attention/test/command.test.ts > the person's own command > is run by the shell with the facts in its environment and all sessions on stdin",
      ],
    },
    {
      id: "attention.askbox-agent-askbox-project",
      says: "`ASKBOX_AGENT`, `ASKBOX_PROJECT` | who asks, and in which folder",
      tests: [
        "packages/attention/test/command.test.ts > the person's own command > is run by the shell with the facts in its environment and all sessions on stdin",
      ],
    },
    {
      id: "attention.askbox-title-askbox-question",
      says: "`ASKBOX_TITLE`, `ASKBOX_QUESTION` | the title and the first question, unless `notifyText` is false",
      tests: [
        "packages/attention/test/command.test.ts > the person's own command > is run by the shell with the facts in its environment and all sessions on stdin",
        "packages/attention/test/command.test.ts > the person's own command > is told neither title nor question when text is not to be shown, whatever the hub's environment holds",
      ],
    },
    {
      id: "attention.command-given-login-link",
      says: "The command is not given a login link, which would hand a login to whatever it sends that through; `askbox open --print` makes one.",
      tests: [
        "packages/attention/test/command.test.ts > the person's own command > is never given a link, which would hand a login to whatever it sends it through",
        "tests/command/open.test.ts > askbox open --print > prints nothing but the link, whose login survives a restart of the hub in a file of its owner alone",
      ],
    },
    {
      id: "attention.web-inbox-notifications-browser",
      says: "The web inbox has notifications of its own, in the browser and on the phone.",
      tests: [
        "tests/web/preferences.test.ts > a question that comes while the page is not in front is told by a notification, if the person lets it",
      ],
    },
    {
      id: "attention.webhooks-ntfy-tell-other",
      says: "[Webhooks and ntfy](webhooks.md) tell other systems.",
      tests: [
        "tests/command/webhooks.test.ts > a hub tells its config's webhooks of a question and its answer, signed by a secret in a file, and status says how they do",
        "packages/webhooks/test/ntfy.test.ts > pushes who asks what to the topic, with a link to the question, in any script",
      ],
    },
  ],
  explained: [
    { because: "purpose", says: ["These are an agent's words."] },
    { because: "advice", says: ['Quote them (`"$ASKBOX_TITLE"`), and pass them to nothing that would run them.'] },
  ],
};
