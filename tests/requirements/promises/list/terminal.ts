import type { PromisedPage } from "../promise.ts";

export const terminalPage: PromisedPage = {
  page: "docs/terminal.md",
  promises: [
    {
      id: "terminal.works-over-ssh-down",
      says: "It works over SSH, down to 40 × 12 characters, in 16 colours or none (`NO_COLOR`), and with a screen reader.",
      tests: [
        "tests/terminal/answering.test.ts > at $columns × $rows > a set with a question of each type is answered by keys alone, and reviewed before it is sent",
        "tests/terminal/screen.test.ts > without colours everything is readable, and no colour is sent",
        "tests/terminal/screen.test.ts > a theme's colours fit the terminal (%s, %s)",
        "tests/terminal/screen.test.ts > a screen reader gets words for what others see as signs, on the terminal's own screen",
        "tests/terminal/typed-answers.test.ts > what is expected, the field, and what is wrong with it are in sight at $columns×$rows",
      ],
    },
    {
      id: "terminal.standard-output-terminal-askbox",
      says: "Where standard output is no terminal, `askbox` prints what waits instead.",
      tests: ["apps/askbox/test/list-and-show.test.ts > askbox alone shows what waits and how to answer it"],
    },
    {
      id: "terminal.leaving-keeps-typed",
      says: "Leaving it keeps what you have typed.",
      tests: ["tests/terminal/screen.test.ts > leaving says that the draft is kept, and leaves the terminal as it was"],
    },
    {
      id: "terminal.shows-keys",
      says: "`?` | shows all keys",
      tests: [
        "tests/terminal/documented-keys.test.ts > each key that docs/terminal.md names is in the help, which ? opens",
        "tests/terminal/typing.test.ts > keys can be changed, help lists them as they are, and a key that cannot be is named",
      ],
    },
    {
      id: "terminal.k-j-up-down",
      says: "`↑` `↓`, `k` `j` | up and down",
      tests: [
        "tests/terminal/answering.test.ts > at $columns × $rows > three Down keys in one go land on the fourth option",
        "tests/terminal/documented-keys.test.ts > j and k go down and up, Space picks and takes back, m is a note where n says no",
      ],
    },
    {
      id: "terminal.enter-open-pick-go",
      says: "`Enter` | open; pick and go on; at the end send. It never sends what it has just picked",
      tests: [
        "tests/terminal/answering.test.ts > Enter picks and never sends what it has just picked",
        "tests/terminal/answering.test.ts > at $columns × $rows > a set with a question of each type is answered by keys alone, and reviewed before it is sent",
      ],
    },
    {
      id: "terminal.space-pick-several-picked",
      says: "`Space` | pick; where several may be picked, also take back",
      tests: ["tests/terminal/documented-keys.test.ts > j and k go down and up, Space picks and takes back, m is a note where n says no"],
    },
    {
      id: "terminal.1-9-0-pick",
      says: "`1` to `9`, `0` | pick an option by its number",
      tests: [
        "tests/terminal/answering.test.ts > at $columns × $rows > a set with a question of each type is answered by keys alone, and reviewed before it is sent",
        "tests/terminal/typed-answers.test.ts > a rating is a scale with its ends named, picked by its digits, and nothing is picked before",
      ],
    },
    {
      id: "terminal.y-n-yes",
      says: "`y`, `n` | yes, no",
      tests: [
        "tests/terminal/answering.test.ts > at $columns × $rows > a set with a question of each type is answered by keys alone, and reviewed before it is sent",
        "tests/terminal/documented-keys.test.ts > j and k go down and up, Space picks and takes back, m is a note where n says no",
      ],
    },
    {
      id: "terminal.r-take-over-agent",
      says: "`r` | take over what the agent recommends or suggests; `Alt r` in a text",
      tests: [
        "tests/terminal/answering.test.ts > nothing is chosen before the person chooses, recommended or not",
        "tests/terminal/typed-answers.test.ts > a suggestion is shown, taken over by one key and no other, and sent by Enter",
      ],
    },
    {
      id: "terminal.e-answer-before-yes",
      says: "`e` | answer as before, where a yes or no is asked again",
      tests: [
        "tests/terminal/documented-keys.test.ts > e answers as before where a yes or no is asked again, and nothing does so by itself",
      ],
    },
    {
      id: "terminal.o-answer-instead-option",
      says: "`o` | an answer of your own instead of an option",
      tests: ["tests/terminal/answering.test.ts > Other stands beside chosen options of a multi-select"],
    },
    {
      id: "terminal.tab-shift-tab-next",
      says: "`Tab`, `Shift Tab` | next question, question before",
      tests: [
        "tests/terminal/answering.test.ts > Tab and Shift-Tab go from question to question, and a missing answer is named before sending",
      ],
    },
    {
      id: "terminal.m-note-question-c",
      says: "`m` | a note to this question; `c` a comment to the whole",
      tests: [
        "tests/terminal/documented-keys.test.ts > j and k go down and up, Space picks and takes back, m is a note where n says no",
        "tests/terminal/answering.test.ts > a note goes with its answer and a comment with the whole",
      ],
    },
    {
      id: "terminal.s-skip-optional-question",
      says: "`s` | skip an optional question",
      tests: ["tests/terminal/answering.test.ts > an optional question is skipped by a key, a required one is not"],
    },
    {
      id: "terminal.ctrl-s-review-send",
      says: "`Ctrl s` | review, and from there send",
      tests: [
        "tests/terminal/typed-answers.test.ts > choices tell how many, and yes or no what is suggested; neither is chosen by it",
        "tests/terminal/documented-keys.test.ts > j and k go down and up, Space picks and takes back, m is a note where n says no",
      ],
    },
    {
      id: "terminal.x-turn-questions-down",
      says: "`x` | turn the questions down, with a reason",
      tests: ["tests/terminal/answering.test.ts > questions are turned down with a reason"],
    },
    {
      id: "terminal.t-time",
      says: "`t` | more time",
      tests: ["tests/terminal/answering.test.ts > more time moves the deadline or takes it away"],
    },
    {
      id: "terminal.u-take-back-answer",
      says: "`u` | take back an answer that is held back (`undo` in the [settings](configuration.md))",
      tests: ["tests/terminal/answering.test.ts > an answer that the hub holds back can be taken back"],
    },
    {
      id: "terminal.v-question-preview-whole",
      says: "`v` | question and preview on the whole screen",
      tests: ["tests/terminal/long-text.test.ts > question and preview fill the whole screen on demand, and end with it"],
    },
    {
      id: "terminal.ctrl-g-write-text",
      says: "`Ctrl g` | write the text in `$VISUAL` or `$EDITOR`",
      tests: ["tests/terminal/typing.test.ts > a long text is written in the person's editor and comes back"],
    },
    {
      id: "terminal.h-search-settled",
      says: "`/`, `h` | search; what was settled",
      tests: ["tests/terminal/surfaces.test.ts > settled sessions are searched and read"],
    },
    {
      id: "terminal.q-leave",
      says: "`q` | leave",
      tests: [
        "tests/command/answer-in-terminal.test.ts > whoever leaves the inbox while a hub is still being started is let go",
        "tests/command/answer-in-terminal.test.ts > the inbox does not open in an agent's shell, unless the config lets agents answer; it prints what waits",
      ],
    },
    {
      id: "terminal.keys-config-json-gives",
      says: "`keys` in `config.json` gives an action other keys, `theme` a part of the screen another look.",
      tests: [
        "apps/tui/test/keymap-and-theme.test.ts > a person's own keys > take the place of the defaults, in whatever way they are written",
        "tests/terminal/screen.test.ts > a theme's colours fit the terminal (%s, %s)",
        "tests/terminal/typing.test.ts > keys can be changed, help lists them as they are, and a key that cannot be is named",
      ],
    },
    {
      id: "terminal.cannot-understood-said-inbox",
      says: "What cannot be understood is said when the inbox opens.",
      tests: [
        "tests/terminal/typing.test.ts > keys can be changed, help lists them as they are, and a key that cannot be is named",
        "apps/tui/test/keymap-and-theme.test.ts > a theme > is refused token by token, each with a sentence",
      ],
    },
    {
      id: "terminal.askbox-config-set-attention",
      says: "`askbox config set attention terminal` lets the hub open a tmux popup with the next question by itself: [Be told of a question](attention.md).",
      tests: [
        "packages/attention/test/terminal.test.ts > the popup > shows the terminal inbox of this home on the client used last, leaving out programs that control tmux",
        "packages/attention/test/tmux.test.ts > a real tmux > shows one popup at a time, which runs `askbox --once` without a shell, in the home of the hub",
      ],
    },
  ],
  explained: [],
};
