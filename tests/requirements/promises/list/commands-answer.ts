import type { PromisedPage } from "../promise.ts";

export const commandsAnswerPage: PromisedPage = {
  page: "docs/commands.md",
  promises: [
    {
      id: "commands.askbox-answer-answer-questions",
      says: "`askbox answer`: Answer questions.",
      tests: [
        "apps/askbox/test/answer-and-cancel.test.ts > askbox answer > answers one question by its option's text and says what was answered",
      ],
    },
    {
      id: "commands.askbox-answer-id-questions",
      says: "`askbox answer id` | the questions' id, or a unique prefix of 4 characters or more",
      tests: [
        "apps/askbox/test/list-and-show.test.ts > askbox show > refuses an id that is unknown, too short or not unique",
        "packages/core/src/testing/desk-contract/settling.ts > an id may be shortened to a unique prefix of 4 characters",
      ],
    },
    {
      id: "commands.askbox-answer-value-answer",
      says: "`askbox answer value` | the answer, where there is one question; put -- before values that start with a dash",
      tests: [
        "apps/askbox/test/answer-and-cancel.test.ts > askbox answer > answers one question by its option's text and says what was answered",
        "apps/askbox/test/answer-and-cancel.test.ts > askbox answer > takes a value that starts with a dash after --",
      ],
    },
    {
      id: "commands.askbox-answer-agent-agent",
      says: "`askbox answer --agent <agent>` | answer the oldest open question of this agent, instead of naming an id",
      tests: [
        "apps/askbox/test/agents.test.ts > askbox answer --agent > answers the agent's questions in their order, and says when there is none",
      ],
    },
    {
      id: "commands.askbox-answer-set-id",
      says: "`askbox answer --set <id=value>` | answer the question of this id; repeat it to choose several options",
      tests: ["apps/askbox/test/answer-and-cancel.test.ts > askbox answer > answers several questions by flags"],
    },
    {
      id: "commands.askbox-answer-other-id",
      says: "`askbox answer --other <id=text>` | answer a choice in your own words",
      tests: ["apps/askbox/test/answer-and-cancel.test.ts > askbox answer > answers several questions by flags"],
    },
    {
      id: "commands.askbox-answer-note-id",
      says: "`askbox answer --note <id=text>` | add a note to an answer",
      tests: ["apps/askbox/test/answer-and-cancel.test.ts > askbox answer > answers several questions by flags"],
    },
    {
      id: "commands.askbox-answer-skip-id",
      says: "`askbox answer --skip <id>` | skip a question that need not be answered",
      tests: ["apps/askbox/test/answer-and-cancel.test.ts > askbox answer > answers several questions by flags"],
    },
    {
      id: "commands.askbox-answer-comment-text",
      says: "`askbox answer --comment <text>` | add a comment to the whole",
      tests: [
        "apps/askbox/test/answer-and-cancel.test.ts > askbox answer > answers one question by its option's text and says what was answered",
        "apps/askbox/test/answer-and-cancel.test.ts > askbox answer > answers several questions by flags",
      ],
    },
    {
      id: "commands.askbox-answer-json-file",
      says: "`askbox answer --json <file>` | read the answers from a JSON file, or from standard input for -",
      tests: ["apps/askbox/test/answer-and-cancel.test.ts > askbox answer > takes the answers as JSON from standard input"],
    },
    {
      id: "commands.askbox-cancel-turn-questions",
      says: "`askbox cancel`: Turn questions down, so that the agent goes on without an answer.",
      tests: ["apps/askbox/test/answer-and-cancel.test.ts > askbox cancel settles the question and tells the agent why"],
    },
    {
      id: "commands.askbox-cancel-id-questions",
      says: "`askbox cancel id` | the questions' id, or a unique prefix of 4 characters or more",
      tests: ["packages/core/src/testing/desk-contract/settling.ts > an id may be shortened to a unique prefix of 4 characters"],
    },
    {
      id: "commands.askbox-cancel-reason-text",
      says: "`askbox cancel --reason <text>` | what the agent is told",
      tests: ["apps/askbox/test/answer-and-cancel.test.ts > askbox cancel settles the question and tells the agent why"],
    },
    {
      id: "commands.askbox-extend-give-questions",
      says: "`askbox extend`: Give questions more time.",
      tests: ["apps/askbox/test/wait-and-extend.test.ts > askbox extend > by %s"],
    },
    {
      id: "commands.askbox-extend-id-questions",
      says: "`askbox extend id` | the questions' id, or a unique prefix of 4 characters or more",
      tests: ["packages/core/src/testing/desk-contract/settling.ts > an id may be shortened to a unique prefix of 4 characters"],
    },
    {
      id: "commands.askbox-extend-time-how",
      says: "`askbox extend time` | how long from now: 5m, 1h, 90s, milliseconds, or none; from a second to a day, and never less than is left",
      tests: ["apps/askbox/test/wait-and-extend.test.ts > askbox extend > refuses less than is left, what is no time, and an agent"],
    },
  ],
  explained: [],
};
