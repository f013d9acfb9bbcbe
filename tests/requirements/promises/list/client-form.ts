import type { PromisedPage } from "../promise.ts";

export const clientFormPage: PromisedPage = {
  page: "docs/client-form.md",
  promises: [
    {
      id: "client-form.askbox-put-question-too",
      says: "askbox can put each question there too:",
      tests: [
        "packages/mcp/test/client-form.test.ts > the client's own form beside the inbox, in a client of %s > settles the question when its person accepts, and the inbox says where",
        "tests/mcp/client-form.test.ts > the client's own form over %s > settles the question of a client of %s, and the inbox knows where",
      ],
    },
    {
      id: "client-form.client-s-entry-starts",
      says: "is what the client's entry then starts; over HTTP it is `?surfaces=inbox,client` in the [URL](http.md#what-the-url-may-say).",
      tests: [
        "tests/mcp/client-form.test.ts > the client's own form over %s > settles the question of a client of %s, and the inbox knows where",
      ],
    },
    {
      id: "client-form.first-answer-wins-inbox",
      says: "The first answer wins, there or in the inbox.",
      tests: [
        "packages/mcp/test/client-form.test.ts > the client's own form beside the inbox, in a client of %s > settles the question when its person accepts, and the inbox says where",
        "packages/core/src/testing/asker-contract/forms.ts > of a form and a desk the first wins, and the second is told",
        "tests/mcp/client-form.test.ts > the client's own form over %s > goes when the inbox is answered first",
      ],
    },
    {
      id: "client-form.hub-takes-answers-once",
      says: "The hub takes answers from there only once you have allowed it.",
      tests: [
        "packages/core/src/testing/asker-contract/forms.ts > an answer from a client's own form is refused unless it was allowed, and changes nothing",
        "tests/mcp/client-form.test.ts > a hub takes answers from clients' forms once its person has said so in its config, and not before",
      ],
    },
    {
      id: "client-form.such-answer-says-came",
      says: "Each such answer says that it came from `client`, and from which.",
      tests: [
        "packages/core/src/testing/asker-contract/forms.ts > an answer from a client's own form settles the session, wakes its wait, and says where it was given",
        "tests/mcp/client-form.test.ts > the client's own form over %s > settles the question of a client of %s, and the inbox knows where",
      ],
    },
    {
      id: "client-form.form-filled-accepted",
      says: "Only a form that was filled in and accepted.",
      tests: [
        "packages/mcp/test/client-form.test.ts > the client's own form beside the inbox, in a client of %s > settles the question when its person accepts, and the inbox says where",
        "packages/mcp/test/client-form.test.ts > the client's own form beside the inbox, in a client of %s > closes nothing when the client says %s by itself: the inbox is waited for",
      ],
    },
    {
      id: "client-form.client-declines-dismisses-closes",
      says: "What a client declines or dismisses closes nothing, since embedded clients do so by themselves within milliseconds.",
      tests: [
        "packages/mcp/test/client-form.test.ts > the client's own form beside the inbox, in a client of %s > closes nothing when the client says %s by itself: the inbox is waited for",
        "tests/mcp/client-form.test.ts > the client's own form over %s > closes nothing when a client of %s declines by itself",
      ],
    },
    {
      id: "client-form.does-fit-question-closes",
      says: "What does not fit its question closes nothing; the form comes again with what is wrong, three times at most.",
      tests: [
        "packages/mcp/test/client-form.test.ts > the client's own form beside the inbox, in a client of %s > closes nothing when it accepts with %j, which does not fit",
        "packages/mcp/test/client-form.test.ts > the client's own form in revisions up to 2025-11-25 > is shown again with what was wrong, three times at most",
      ],
    },
    {
      id: "client-form.form-field-question",
      says: "A form has a field for each question.",
      tests: [
        "packages/mcp/test/forms/mapping.test.ts > questions as a client's form, in a revision with lists: %s > take every answer that is valid, in content that fits the form, and give it back as it was",
      ],
    },
    {
      id: "client-form.up-2025-11-25",
      says: "up to 2025-11-25 | is up while the call waits, and goes when the inbox is answered first",
      tests: [
        "packages/mcp/test/client-form.test.ts > the client's own form in revisions up to 2025-11-25 > is taken back when the inbox is answered first",
        "tests/mcp/client-form.test.ts > the client's own form over %s > goes when the inbox is answered first",
      ],
    },
    {
      id: "client-form.2026-07-28-such",
      says: "2026-07-28, such as Claude Code | comes when the call ends with `input_required`, and cannot be taken back: after an answer in the inbox, dismiss it, and the agent goes on",
      tests: [
        "packages/mcp/test/client-form.test.ts > the client's own form since 2026-07-28 > gives way to an answer that the inbox was given meanwhile",
      ],
    },
    {
      id: "client-form.elicit-does-same-tools",
      says: "[`elicit()`](elicit.md) does the same for tools of your own server: the client's form where there is one, else the inbox.",
      tests: [
        "packages/mcp/test/elicit/replay.test.ts > the way of asking > is the first of those the author allows",
        "packages/mcp/test/elicit/replay.test.ts > the way of asking > is another where the author says so for a client",
      ],
    },
  ],
  explained: [
    { because: "elsewhere", says: ["Some clients can show a form of their own (MCP's *elicitation*); Claude Code and Codex do."] },
    { because: "advice", says: ["[Types of questions](question-types.md#mcp-elicitation) says which becomes what."] },
    {
      because: "purpose",
      says: [
        "They come from the agent's side, with an agent's token: a program that holds that token could say that a person has filled a form in.",
      ],
    },
  ],
};
