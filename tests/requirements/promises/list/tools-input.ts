import type { PromisedPage } from "../promise.ts";

export const toolsInputPage: PromisedPage = {
  page: "docs/tools.md",
  promises: [
    {
      id: "tools.models-send-they-were",
      says: "Models send what they were trained on, so these are understood as well: the shapes of Claude Code's `AskUserQuestion`, OpenCode's `question`, Gemini CLI's `ask_user`, Codex's `request_user_input`, VS Code's `vscode_askQuestions`, `ask_user_questions`, and MCP's `{const, title}`.",
      tests: [
        "packages/core/test/lenient-input.test.ts > an ask in the shape of > %s is understood",
        "tests/requirements/list/other-shapes.ts > ask_user understands the shape of $tool",
      ],
    },
    {
      id: "tools.prompt-message-without-question",
      says: "`prompt`; `message` without a question; a bare text | `question`",
      tests: ["packages/core/test/lenient-input.test.ts > an ask in the shape of > %s is understood"],
    },
    {
      id: "tools.message-beside-question-shown",
      says: "`message` beside a question | shown below it",
      tests: [
        "packages/core/test/lenient-input.test.ts > an ask in the shape of > %s is understood",
        "packages/core/test/lenient-input.test.ts > an ask in the shape of > a message is shortened rather than refused, a question that is too long is refused",
      ],
    },
    {
      id: "tools.title-question-header",
      says: "`title` of a question | `header`",
      tests: ["packages/core/test/lenient-input.test.ts > an ask in the shape of > %s is understood"],
    },
    {
      id: "tools.multiselect-multiple-type-multi-select",
      says: "`multiSelect`, `multiple` | type `multi-select` instead of `select`",
      tests: ["packages/core/test/lenient-input.test.ts > an ask in the shape of > %s is understood"],
    },
    {
      id: "tools.type-choice-yesno-select",
      says: "type `choice`, `yesno` | `select`, `confirm`",
      tests: ["packages/core/test/lenient-input.test.ts > an ask in the shape of > %s is understood"],
    },
    {
      id: "tools.options-without-type-select",
      says: "options without a type | `select`",
      tests: ["packages/core/test/lenient-input.test.ts > an ask in the shape of > %s is understood"],
    },
    {
      id: "tools.custom-allowfreeforminput-allowother",
      says: "`custom`, `allowFreeformInput` | `allowOther`",
      tests: ["packages/core/test/lenient-input.test.ts > an ask in the shape of > %s is understood"],
    },
    {
      id: "tools.questions-options-json-text",
      says: "`questions`, or `options`, as JSON text; one question instead of an array, or of `questions` | what they hold",
      tests: [
        "packages/core/test/lenient-input.test.ts > an ask in the shape of > %s is understood",
        "packages/core/test/lenient-input.test.ts > an ask in the shape of > a timeout in digits, booleans in words and options as JSON text are understood",
        "tests/requirements/list/input.ts > questions sent as a JSON string are understood",
      ],
    },
    {
      id: "tools.true-false-timeout-digits",
      says: '`"true"`, `"false"`, a timeout in digits, null | a boolean, a number, nothing',
      tests: [
        "packages/core/test/lenient-input.test.ts > an ask in the shape of > a timeout in digits, booleans in words and options as JSON text are understood",
        "packages/core/test/lenient-input.test.ts > an ask in the shape of > %s is understood",
      ],
    },
    {
      id: "tools.contract-s-own-fields",
      says: "The contract's own fields stand above these, and what it forbids is refused in its words: `Validation error: ` and `questions array must have at least 1 item`, `questions array exceeds maximum of 10`, `Options required for select/multi-select types`, `question text is required`, or a sentence with place and range.",
      tests: [
        "packages/core/test/lenient-input.test.ts > the contract stands above what is understood > %s is refused in its words",
        "tests/requirements/list/input.ts > $what: refused with the contract's error result, and nothing is asked",
      ],
    },
    {
      id: "tools.headers-labels-no-limit",
      says: "Headers and labels have no limit; surfaces shorten what they show.",
      tests: [
        "packages/core/test/lenient-input.test.ts > an ask in the shape of > labels, headers and descriptions of any length are taken whole",
        "packages/core/test/parse-ask.test.ts > reading an ask > takes the longest texts the contract allows, and any length where it sets no limit",
      ],
    },
    {
      id: "tools.programs-answersasclaudecode-answersfromclaudecode-their",
      says: "For programs: `answersAsClaudeCode`, `answersFromClaudeCode` and their likes in `@askbox/core` carry a person's answers to the answer shapes of these tools and back, without loss.",
      tests: [
        "packages/core/test/answer-shapes.test.ts > answers in the shape of %s > come back as they were, whatever was asked and answered",
        "packages/core/test/answer-shapes.test.ts > the shapes themselves > Claude Code: by question text, choices with commas between, notes and preview as annotations, the comment as response",
      ],
    },
    {
      id: "tools.watchaskuser-desk-filter-listener",
      says: "`watchAskUser(desk, filter, listener)` tells an inbox's changes as `cn_ask_user.asked`, `.answered` and `.cancelled`.",
      tests: [
        "packages/core/test/ask-user-events.test.ts > the watch feed tells the design's events, each once: asked, answered, cancelled",
        "packages/core/test/ask-user-events.test.ts > what was answered while the feed was lost is told as answered when it is back",
      ],
    },
    {
      id: "tools.stands-server-name-askbox",
      says: "stands in for a server of that name; `askbox server` is the same command.",
      tests: [
        "tests/requirements/list/ask-user-questions.ts > the server goes by the name it was given, and its instructions tell a model when to ask",
        "apps/askbox/test/help.test.ts > askbox server is askbox mcp by another name",
      ],
    },
    {
      id: "tools.question-may-left-unanswered",
      says: "A question may be left unanswered, and the result says so.",
      tests: [
        "tests/requirements/list/ask-user-questions.ts > successful flow: the text numbers the questions, with chosen labels and descriptions, own words, or that nothing was answered",
      ],
    },
    {
      id: "tools.calls-same-agent-wait",
      says: "Calls of the same agent wait behind each other: the second question is put when the first is settled, or when its call has come back; its ten minutes begin then.",
      tests: [
        "tests/requirements/list/ask-human.ts > calls of the same agent wait behind each other, in the order in which they came, and each gets its own reply",
        "tests/requirements/list/ask-human.ts > the time of a call that waits behind another begins when its own question is put",
        "tests/requirements/list/ask-human.ts > a call that has to come back while it still waits behind another says so, and nothing of it was asked",
      ],
    },
    {
      id: "tools.queue-server-serves-agent",
      says: "The queue is in the server that serves the agent, so that a hub that is started again in between changes nothing for an agent on stdio.",
      tests: [
        "tests/faults/queue-over-a-kill.test.ts > a call of ask_human goes on waiting behind the one before it when the hub is killed, and each gets its own reply",
      ],
    },
    {
      id: "tools.over-http-calls-end",
      says: "Over HTTP the calls end with the hub; the question that had been put stays and is joined when it is asked again, and those that waited are put when they are asked again.",
      tests: [
        "tests/mcp/hub-restart.test.ts > after the hub was started again > the question of ask_human that had been put is joined when it is asked again, and the one that waited is put then",
      ],
    },
    {
      id: "tools.any-id-taken-until",
      says: "Any id is taken until the first one is registered:",
      tests: [
        "packages/core/test/agents.test.ts > an ask of registered agents only > takes any id, and none, while nobody is registered",
        "tests/requirements/list/ask-human.ts > any agent_id is taken while none is registered",
      ],
    },
    {
      id: "tools.then-another-id-refused",
      says: 'From then on another id is refused: `{"error": "unknown agent_id", "agent_id": "…", "message": "…"}`, as text and as structured content.',
      tests: [
        "tests/requirements/list/ask-human.ts > once agents are registered, another id is a structured error in both fields, and nothing is asked",
        "packages/core/test/agents.test.ts > an ask of registered agents only > refuses an id that is not registered from the first registration on, and nothing is asked",
      ],
    },
    {
      id: "tools.rest-same-under-api",
      says: "REST has the same under `/api/agents` for a desk's token (`GET`, `POST {id, name?, resume?}`, `DELETE /api/agents/{id}`), a program that embeds the broker `broker.agents`.",
      tests: [
        "packages/hub/test/agents.test.ts > REST for agents > registers, lists and forgets agents",
        "packages/hub/test/agents.test.ts > REST for agents > is not for tokens that may only ask, nor for strangers",
        "packages/core/test/agents.test.ts > agents in memory > $promise.name",
      ],
    },
    {
      id: "tools.hub-keeps-them-agents",
      says: "The hub keeps them in `agents.json`.",
      tests: [
        "packages/core/test/agents.test.ts > agents in memory > are saved before a change counts, and stay as they were when that fails",
        "tests/command/agents.test.ts > registered agents outlive the hub, in a file of their owner alone",
      ],
    },
    {
      id: "tools.askbox-answer-agent-builder",
      says: "`askbox answer --agent builder 'Use the second one.'` answers what that agent has waited for longest.",
      tests: [
        "apps/askbox/test/agents.test.ts > askbox answer --agent > answers the agent's questions in their order, and says when there is none",
      ],
    },
    {
      id: "tools.web-inbox-shows-agent",
      says: 'The web inbox shows "Agent needs input", with a field to reply in the list.',
      tests: ["tests/web/inline-reply.test.ts > a question in plain words says that an agent needs input, and is answered from the list"],
    },
    {
      id: "tools.askbox-show-agent-left",
      says: "`askbox show` of an agent that has left prints how to take its conversation up again, and how sure that is: the command it was registered with; else `claude --resume` with the conversation that Claude Code tells the servers it starts (not over HTTP); else what takes up the latest conversation of its folder.",
      tests: [
        "apps/askbox/test/agents.test.ts > askbox show, of an agent that has left > prints the command that it was registered with",
        "apps/askbox/test/agents.test.ts > askbox show, of an agent that has left > prints the command for its conversation where its client told it",
        "apps/askbox/test/agents.test.ts > askbox show, of an agent that has left > prints what takes up the latest conversation of the folder, and says that it may be another",
        "apps/askbox/test/agents.test.ts > askbox show, of an agent that has left > says so where nothing is known, and puts nothing into a command that an agent made up",
        "apps/mcp-stdio/test/identity.test.ts > the conversation is what Claude Code tells, to nobody but itself",
      ],
    },
  ],
  explained: [
    {
      because: "advice",
      says: ["For agents that run without a person at their terminal, several of them perhaps, each with an id that it was given:"],
    },
  ],
};
