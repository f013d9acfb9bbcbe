import type { PromisedPage } from "../promise.ts";

export const securityTextPage: PromisedPage = {
  page: "docs/security.md",
  promises: [
    {
      id: "security.page-served-under-policy",
      says: "The page is served under a policy that takes nothing inline and nothing from elsewhere: `default-src 'none'`, and scripts, styles, fonts and connections from the hub alone.",
      tests: [
        "packages/hub/test/web.test.ts > the page > is served at / to whoever asks, under a policy that takes nothing inline and nothing from elsewhere",
      ],
    },
    {
      id: "security.cannot-framed-posts-forms",
      says: "It cannot be framed, posts no forms, and has no camera, microphone or place.",
      tests: [
        "packages/hub/test/web.test.ts > the page > is served at / to whoever asks, under a policy that takes nothing inline and nothing from elsewhere",
      ],
    },
    {
      id: "security.everything-else-hub-sends",
      says: "Everything else that the hub sends is data that nothing may run, frame, sniff or cache.",
      tests: ["packages/hub/test/access.test.ts > every response > of %s forbids to run, frame, sniff, cache or refer"],
    },
    {
      id: "security.files-page-found-list",
      says: "The files of the page are found by a list, so that no path of a request ever becomes one of the disk.",
      tests: ["packages/hub/test/web.test.ts > what lies outside the page's folder > cannot be reached by %s"],
    },
    {
      id: "security.each-surface-cleans-shows",
      says: "Each surface cleans what it shows at one boundary.",
      tests: [
        "tests/web/answering.test.ts > hostile markdown and hostile names stay text",
        "tests/terminal/hostile.test.ts > control sequences in every field have no effect on title, clipboard, colours or layout ($columns × $rows)",
        "tests/command/ask-and-answer.test.ts > text from an agent never reaches the terminal raw, wherever it is shown",
        "packages/attention/test/notify.test.ts > the text of a notification > holds no control, escape or bidirectional characters from anywhere",
      ],
    },
    {
      id: "security.browser-markdown-read-into",
      says: "browser | markdown is read into a tree and becomes elements; no HTML string is ever made. Pictures are shown as their description. Links lead to the web or to mail, in a new tab, without referrer, and say their host when their words do not",
      tests: ["tests/web/answering.test.ts > hostile markdown and hostile names stay text"],
    },
    {
      id: "security.terminal-commands-everything-terminal",
      says: "terminal and commands | everything that a terminal would obey, hide or turn around is taken out; what is left has a known width",
      tests: [
        "packages/terminal-text/test/terminal-text.test.ts > text from elsewhere on its way to a terminal > nothing that a terminal obeys comes through, whatever the text, and cleaning twice changes nothing more",
        "packages/terminal-text/test/wrap.test.ts > text in the cells of a terminal > never makes a row wider than asked, and loses nothing but spaces",
        "tests/command/ask-and-answer.test.ts > text from an agent never reaches the terminal raw, wherever it is shown",
      ],
    },
    {
      id: "security.notifications-shell-sees-argument",
      says: "notifications | no shell sees an argument, and no text becomes part of a script",
      tests: [
        "packages/attention/test/processes.test.ts > real programs > notify-send gets its arguments as they are, whatever a shell would make of them",
        "packages/attention/test/notify.test.ts > notifications > go through osascript on macOS, with the text as arguments of a constant script",
        "packages/attention/test/notify.test.ts > notifications > go through PowerShell on Windows, with the text as ASCII JSON on stdin of a constant script",
      ],
    },
    {
      id: "security.command-your-own-facts",
      says: "a command of your own | the facts are in its environment, where a shell does not run them; quote them",
      tests: ["packages/attention/test/processes.test.ts > a real command > is run by the shell, with facts that the shell does not run"],
    },
    {
      id: "security.log-one-line-each",
      says: "log | one line each, escaped; never what is asked",
      tests: [
        "packages/home/test/logger.test.ts > the logger > writes nothing for people that a terminal would obey or hide, and no more than one line each",
        "apps/hub/test/people.test.ts > a hub > keeps what is asked and answered out of its log at every level",
      ],
    },
    {
      id: "security.nothing-chosen-filled-before",
      says: "Nothing is chosen or filled in before the person does it, whatever the question recommends or suggests.",
      tests: [
        "tests/terminal/answering.test.ts > nothing is chosen before the person chooses, recommended or not",
        "tests/web/typed-answers.test.ts > nothing is filled in, limits are told, and what is wrong is said once a field was left",
        "tests/web/typed-answers.test.ts > a rating is picked by a click, an arrow or its own digit, and nothing is picked before",
      ],
    },
    {
      id: "security.requests-bounded-size-time",
      says: "Requests are bounded in size, time and number: see the [table of limits](operations.md#limits).",
      tests: [
        "packages/hub/test/limits.test.ts > the size of a request > may be 256 KB and not a byte more",
        "packages/hub/test/slow-connections.test.ts > 4,096 connections, 10 s for a request's headers and 30 s for all of it are the limits unless others are set",
        "packages/hub/test/limits.test.ts > the number of asks > is 100 unless it was set: the 101st is refused, over REST and the wire, and told when to come again",
      ],
    },
    {
      id: "security.agents-can-choose-such",
      says: "What agents can choose, such as their ids, is bounded by token as well.",
      tests: [
        "packages/hub/test/limits.test.ts > what one token may do, whatever agent ids it is used with > is 10 times what one agent id may ask in a minute",
        "packages/hub/test/limits.test.ts > what one token may do, whatever agent ids it is used with > is 10 times what one agent id may have pending, and settled ones make room",
        "apps/hub/test/metrics.test.ts > metrics in Prometheus' text format > do not grow with what clients send",
      ],
    },
    {
      id: "security.nothing-but-you-set",
      says: "Nothing but what you set up: answers to the agents that asked, webhooks and pushes (`text: false` keeps the words out of them), a Redis if that is the store.",
      tests: [
        "tests/command/nobody-else.test.ts > askbox speaks to nobody but its hub, whatever is asked, answered, examined or set up",
        "packages/webhooks/test/webhooks.test.ts > a webhook > says nothing that an agent or a person wrote where text is off",
      ],
    },
    {
      id: "security.telemetry-look-updates",
      says: "There is no telemetry, and no look for updates.",
      tests: ["tests/command/nobody-else.test.ts > askbox speaks to nobody but its hub, whatever is asked, answered, examined or set up"],
    },
  ],
  explained: [],
};
