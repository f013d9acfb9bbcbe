import type { PromisedPage } from "../promise.ts";

export const elicitPage: PromisedPage = {
  page: "docs/elicit.md",
  promises: [
    {
      id: "elicit.elicit-asks-person-behind",
      says: "`elicit()` asks the person behind a tool's call, from any server built on the MCP TypeScript SDK v2 (`@modelcontextprotocol/server`).",
      tests: ["packages/mcp/test/elicit/contract.test.ts > Basic usage > in %s: the tool goes on when its person confirms"],
    },
    {
      id: "elicit.one-handler-serves-every",
      says: "One handler serves every client, whichever way its person can be reached:",
      tests: [
        "packages/mcp/test/elicit/contract.test.ts > Basic usage > in %s: the tool goes on when its person confirms",
        "packages/mcp/test/elicit/paths.test.ts > a wizard of three steps in a client of %s > is filled in in the client's own form, step by step, and orders once",
        "packages/mcp/test/elicit/paths.test.ts > a wizard of three steps in a client of %s > goes through the model where the client shows no forms, and orders once",
      ],
    },
    {
      id: "elicit.withelicitation-server-options-comes",
      says: "`withElicitation(server, options?)` comes before `connect`; `serveStdio` and `createMcpHandler` work as ever, with it inside their factory.",
      tests: [
        "tests/mcp/elicit/fallback.test.ts > a model that passes questions on, over %s > takes its person through three steps in %s, and the tool orders once",
        "tests/examples/own-mcp-server.test.ts > a tool of someone else's server asks before it deletes, and the person is %s",
      ],
    },
    {
      id: "elicit.elicit-ctx-message-schema",
      says: "`elicit(ctx, message, schema, options?)` resolves with `{status, content?, by}`:",
      tests: [
        "packages/mcp/test/elicit/contract.test.ts > Basic usage > in %s: the tool goes on when its person confirms",
        "packages/mcp/test/elicit/contract.test.ts > Elicitation result > content is there with accept alone, and typed by the schema",
      ],
    },
    {
      id: "elicit.accept-person-answered-content",
      says: "`accept` | the person answered; `content` is there, typed by the schema, and has passed it",
      tests: [
        "packages/mcp/test/elicit/contract.test.ts > Elicitation result > content is there with accept alone, and typed by the schema",
      ],
    },
    {
      id: "elicit.decline-person-said-no",
      says: "`decline` | the person said no",
      tests: ["packages/mcp/test/elicit/contract.test.ts > Basic usage > and not when its person answers %j"],
    },
    {
      id: "elicit.cancel-question-was-dismissed",
      says: "`cancel` | the question was dismissed; also what clients say by themselves when nobody is there",
      tests: ["packages/mcp/test/elicit/contract.test.ts > Basic usage > and not when its person answers %j"],
    },
    {
      id: "elicit.says-gave-client-client",
      says: "`by` says who gave it: `client` (the client's own form), a surface of the inbox such as `web` or `terminal`, `model` (passed on by the model), `none` (nobody was there at all).",
      tests: [
        "packages/mcp/test/elicit/inbox.test.ts > elicit() through the inbox > says at which surface it was answered",
        "packages/mcp/test/elicit/contract.test.ts > Programmatic access > a handler answers until it is taken back",
        "packages/mcp/test/elicit/contract.test.ts > Programmatic access > without a handler a question is declined, by nobody",
        "packages/mcp/test/elicit/contract.test.ts > Basic usage > in %s: the tool goes on when its person confirms",
      ],
    },
    {
      id: "elicit.mode-form-default-url",
      says: "`mode` | `form` (default), or `url` to send the person to a page",
      tests: [
        "packages/mcp/test/elicit/contract.test.ts > Elicitation options > mode url sends its person to a page, under the author's id where the revision has one",
        "packages/mcp/test/elicit/contract.test.ts > Elicitation options > mode url is told in words to a client that shows forms alone",
      ],
    },
    {
      id: "elicit.url-elicitationid-page-your",
      says: "`url`, `elicitationId` | the page, and your name for the visit (`notifications/elicitation/complete`, revisions up to 2025-11-25)",
      tests: [
        "packages/mcp/test/elicit/contract.test.ts > Elicitation options > mode url sends its person to a page, under the author's id where the revision has one",
      ],
    },
    {
      id: "elicit.ttl-milliseconds-answer-1",
      says: "`ttl` | milliseconds for the answer: 1 to 1800000, default 300000",
      tests: [
        "packages/mcp/test/elicit/contract.test.ts > Elicitation options > ttl is 5 minutes unless it is said, and neither the SDK's 60 s nor its 10 minutes",
        "packages/mcp/test/elicit/inbox.test.ts > elicit() through the inbox > is over after a ttl of %s ms, and the question is gone then",
        "packages/mcp/test/elicit/contract.test.ts > Elicitation options > %j is refused in a sentence",
      ],
    },
    {
      id: "elicit.elicitationnotsupportederror-nobody-can-asked",
      says: "`ElicitationNotSupportedError` | nobody can be asked: no form, no inbox, and the fallback is off",
      tests: [
        "packages/mcp/test/elicit/contract.test.ts > Error handling > ElicitationNotSupportedError, where nobody can be asked",
        "packages/mcp/test/elicit/contract.test.ts > Error handling > ElicitationNotSupportedError, on a server that was not set up",
      ],
    },
    {
      id: "elicit.elicitationtimeouterror-nobody-answered-within",
      says: "`ElicitationTimeoutError` | nobody answered within `ttl`",
      tests: [
        "packages/mcp/test/elicit/contract.test.ts > Error handling > ElicitationTimeoutError also where the answer comes with a later request, after its time",
        "packages/mcp/test/elicit/inbox.test.ts > elicit() through the inbox > is over after a ttl of %s ms, and the question is gone then",
      ],
    },
    {
      id: "elicit.askboxerror-code-invalid-answer",
      says: "`AskboxError` with `code` | `INVALID_ANSWER`: what was given does not fit · `ELICITATION_CHANGED`: see below · `VALIDATION`: the schema fits no form · `ABORTED`: the call was cancelled",
      tests: [
        "packages/mcp/test/elicit/contract.test.ts > Elicitation result > content that a client of %s gives and the schema does not take is an error, not a result",
        "packages/mcp/test/elicit/replay.test.ts > a tool that is run again > and asks something else than what was answered fails, and is not given the answer",
        "packages/mcp/test/forms/mapping.test.ts > a zod schema as a form > is refused where no form can hold it",
        "packages/mcp/test/elicit/inbox.test.ts > elicit() through the inbox > of a call that is cancelled fails with ABORTED, for the author to tidy up",
      ],
    },
    {
      id: "elicit.form-flat-texts-format",
      says: "A form is flat: texts (with `format` email, uri, date, date-time, and lengths), numbers, booleans, enums, lists of enums.",
      tests: ["packages/mcp/test/forms/mapping.test.ts > a zod schema as a form > is what a client's form can hold, and no more"],
    },
    {
      id: "elicit.whatever-else-zod-checks",
      says: "Whatever else zod checks (`regex`, `refine`) is checked when the answer comes.",
      tests: [
        "packages/mcp/test/elicit/contract.test.ts > Elicitation result > content that a client of %s gives and the schema does not take is an error, not a result",
      ],
    },
    {
      id: "elicit.first-can-used-taken",
      says: "The first that can be used is taken; `paths` in the options reorders or removes them, `clients` decides for a client by name.",
      tests: [
        "packages/mcp/test/elicit/replay.test.ts > the way of asking > is the first of those the author allows",
        "packages/mcp/test/elicit/replay.test.ts > the way of asking > is another where the author says so for a client",
      ],
    },
    {
      id: "elicit.client-client-s-own",
      says: "**`client`**: the client's own form, where the client declares one.",
      tests: [
        "packages/mcp/test/elicit/replay.test.ts > the way of asking > is the client's form, for all a table says, only where the client declares one",
      ],
    },
    {
      id: "elicit.revisions-up-2025-11-25-asked",
      says: "Revisions up to 2025-11-25 are asked by `elicitation/create`, and the handler waits; since 2026-07-28 the call ends with `input_required`, and the client calls again with the answer.",
      tests: [
        "packages/mcp/test/elicit/contract.test.ts > Basic usage > in %s: the tool goes on when its person confirms",
        "packages/mcp/test/elicit/paths.test.ts > a wizard of three steps in a client of %s > is filled in in the client's own form, step by step, and orders once",
      ],
    },
    {
      id: "elicit.inbox-askbox-inbox-where",
      says: "**`inbox`**: the askbox inbox, where an `asker` is given: the handler waits, and the person answers wherever is handy.",
      tests: [
        "packages/mcp/test/elicit/inbox.test.ts > elicit() through the inbox, for a client of %s > takes a wizard of three steps through it in one run",
        "packages/mcp/test/elicit/inbox.test.ts > elicit() through the inbox > joins the question of a call that was cancelled, when the tool is called again",
      ],
    },
    {
      id: "elicit.form-more-than-10",
      says: "A form of more than 10 fields becomes several sets of questions, one after the other.",
      tests: ["packages/mcp/test/elicit/inbox.test.ts > elicit() through the inbox > asks a form of 23 fields in three sessions"],
    },
    {
      id: "elicit.cancelling-reason-decline-without",
      says: "Cancelling with a reason is `decline`, without one `cancel`.",
      tests: [
        "packages/mcp/test/elicit/inbox.test.ts > elicit() through the inbox > tells a person who says why from one who only closes the question",
      ],
    },
    {
      id: "elicit.model-result-tells-model",
      says: "**`model`**: the result tells the model to ask its user and to call the tool `sendElicitationResult`.",
      tests: [
        "packages/mcp/test/elicit/contract.test.ts > Fallback elicitation > in %s: the pending result has the contract's shape",
        "packages/mcp/test/elicit/contract.test.ts > Fallback elicitation > in %s: sendElicitationResult gives the tool's own result",
      ],
    },
    {
      id: "elicit.tool-there-only-clients",
      says: "That tool is there only for clients that need it.",
      tests: [
        "packages/mcp/test/elicit/contract.test.ts > Fallback elicitation > sendElicitationResult is listed only where the fallback is in use",
      ],
    },
  ],
  explained: [
    {
      because: "advice",
      says: [
        "Check `by` where it matters: a model that passes an answer on can be wrong, or lie.",
        "`advance` lets so many milliseconds pass for the store: a clock that you can turn, or a real pause.",
      ],
    },
  ],
};
