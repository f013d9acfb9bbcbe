import type { PromisedPage } from "../promise.ts";

export const webhooksPage: PromisedPage = {
  page: "docs/webhooks.md",
  promises: [
    {
      id: "webhooks.hub-tells-other-systems",
      says: "The hub tells other systems of sessions that open and settle: a program by a signed webhook, a phone by [ntfy](https://ntfy.sh).",
      tests: [
        "tests/command/webhooks.test.ts > a hub tells its config's webhooks of a question and its answer, signed by a secret in a file, and status says how they do",
        "packages/webhooks/test/ntfy.test.ts > pushes who asks what to the topic, with a link to the question, in any script",
      ],
    },
    {
      id: "webhooks.url-where-post-ntfy",
      says: "`url` | where to post to; with ntfy the path is the topic",
      tests: [
        "packages/webhooks/test/ntfy.test.ts > pushes who asks what to the topic, with a link to the question, in any script",
        "packages/webhooks/test/webhooks.test.ts > a webhook > is told that a session opened and how it settled, with the session as people see it",
      ],
    },
    {
      id: "webhooks.kind-webhook-default-ntfy",
      says: "`kind` | `webhook` (default) or `ntfy`",
      tests: [
        "packages/home/test/config.test.ts > the settings > refuse the webhook %j with a sentence",
        "packages/webhooks/test/ntfy.test.ts > pushes who asks what to the topic, with a link to the question, in any script",
      ],
    },
    {
      id: "webhooks.events-session-opened-session",
      says: "`events` | `session.opened`, `session.settled`; a webhook gets both by default, ntfy the first",
      tests: [
        "packages/webhooks/test/webhooks.test.ts > a webhook > is told that a session opened and how it settled, with the session as people see it",
        "packages/webhooks/test/ntfy.test.ts > says how it ended where that is wanted, and no text where that is not",
        "packages/webhooks/test/webhooks.test.ts > a webhook > is told only what it wants: event types, a project, an agent",
      ],
    },
    {
      id: "webhooks.secretfile-file-relative-config",
      says: "`secretFile` | a file, relative to the config's folder, whose first line is the webhook's secret or ntfy's access token; `secret` and `token` put it into the config itself",
      tests: [
        "tests/command/webhooks.test.ts > a hub tells its config's webhooks of a question and its answer, signed by a secret in a file, and status says how they do",
        "tests/command/webhooks.test.ts > a secret that cannot be read keeps the hub from starting, in one sentence",
        "packages/home/test/config.test.ts > the settings > refuse the webhook %j with a sentence",
      ],
    },
    {
      id: "webhooks.text-false-sends-neither",
      says: "`text` | `false` sends neither titles nor questions nor answers",
      tests: [
        "packages/webhooks/test/webhooks.test.ts > a webhook > says nothing that an agent or a person wrote where text is off",
        "packages/webhooks/test/ntfy.test.ts > says how it ended where that is wanted, and no text where that is not",
      ],
    },
    {
      id: "webhooks.project-agentid-only-sessions",
      says: "`project`, `agentId` | only sessions of this folder, or of this agent",
      tests: ["packages/webhooks/test/webhooks.test.ts > a webhook > is told only what it wants: event types, a project, an agent"],
    },
    {
      id: "webhooks.inbox-where-inbox-receiver",
      says: "`inbox` | where the inbox is for the receiver; the session's page is named below it",
      tests: [
        "packages/webhooks/test/webhooks.test.ts > a webhook > is told that a session opened and how it settled, with the session as people see it",
        "packages/webhooks/test/ntfy.test.ts > pushes who asks what to the topic, with a link to the question, in any script",
      ],
    },
    {
      id: "webhooks.priority-ntfy-push-1",
      says: "`priority` | of an ntfy push, 1 to 5",
      tests: ["packages/webhooks/test/ntfy.test.ts > pushes who asks what to the topic, with a link to the question, in any script"],
    },
    {
      id: "webhooks.post-standard-webhooks-so",
      says: "A POST as [Standard Webhooks](https://www.standardwebhooks.com) has it, so its libraries verify it: `webhook-id`, `webhook-timestamp`, and `webhook-signature` when there is a secret.",
      tests: [
        "packages/webhooks/test/webhooks.test.ts > a webhook > is signed with %s as Standard Webhooks has it, so that its own library verifies it",
      ],
    },
    {
      id: "webhooks.data-session-askbox-show",
      says: "`data.session` is what `askbox show --json` prints.",
      tests: [
        "packages/webhooks/test/webhooks.test.ts > a webhook > is told that a session opened and how it settled, with the session as people see it",
      ],
    },
    {
      id: "webhooks.same-event-same-webhook-id",
      says: "The same event has the same `webhook-id` in every delivery; use it to notice a repetition.",
      tests: [
        "packages/webhooks/test/webhooks.test.ts > a webhook > is tried again with growing pauses, under the same id, and what comes after for the session waits for it",
      ],
    },
    {
      id: "webhooks.nothing-waits-receiver-neither",
      says: "Nothing waits for a receiver: neither the agent, nor the person, nor another receiver.",
      tests: [
        "packages/webhooks/test/webhooks.test.ts > a webhook > holds nothing up when it hangs: the answer stands, others are told, and after 15 s it counts as failed",
        "tests/command/webhooks.test.ts > a receiver that is down holds up neither the agent nor the person, and doctor names it",
      ],
    },
    {
      id: "webhooks.event-delivered-least-once",
      says: "An event is delivered at least once.",
      tests: [
        "packages/webhooks/test/restart.test.ts > webhooks over a restart of the hub > go on with what had not arrived",
        "packages/webhooks/test/webhooks.test.ts > a webhook > is tried again with growing pauses, under the same id, and what comes after for the session waits for it",
      ],
    },
    {
      id: "webhooks.arrived-kept-webhooks-json",
      says: "What has not arrived is kept in `webhooks.json` in the data folder and goes on after a restart; what settled while no hub ran is told when one starts.",
      tests: [
        "packages/webhooks/test/restart.test.ts > webhooks over a restart of the hub > go on with what had not arrived",
        "packages/webhooks/test/restart.test.ts > webhooks over a restart of the hub > tell what opened and what settled while no hub ran, and nothing twice",
      ],
    },
    {
      id: "webhooks.events-one-session-arrive",
      says: "Events of one session arrive in order.",
      tests: [
        "packages/webhooks/test/webhooks.test.ts > a webhook > is tried again with growing pauses, under the same id, and what comes after for the session waits for it",
      ],
    },
    {
      id: "webhooks.attempt-15-s",
      says: "An attempt has 15 s.",
      tests: [
        "packages/webhooks/test/webhooks.test.ts > a webhook > holds nothing up when it hangs: the answer stands, others are told, and after 15 s it counts as failed",
      ],
    },
    {
      id: "webhooks.after-failure-no-connection",
      says: "After a failure (no connection, 408, 425, 429, 5xx) it is repeated after 5 s, 30 s, 2, 10 and 30 minutes, 2, 4 and 8 hours, or when `Retry-After` says; then it is given up, with a line in the log.",
      tests: [
        "packages/webhooks/test/webhooks.test.ts > a webhook > is tried again with growing pauses, under the same id, and what comes after for the session waits for it",
        "packages/webhooks/test/webhooks.test.ts > a webhook > is left alone for as long as it asks by Retry-After",
        "packages/webhooks/test/webhooks.test.ts > a webhook > is given up, with one line in the log, after nine attempts or at once when it says that it never will",
      ],
    },
    {
      id: "webhooks.any-other-answer-but",
      says: "Any other answer but 2xx is final; redirects are not followed.",
      tests: [
        "packages/webhooks/test/webhooks.test.ts > a webhook > is given up, with one line in the log, after nine attempts or at once when it says that it never will",
        "packages/webhooks/test/webhooks.test.ts > a webhook > never follows a redirect",
      ],
    },
    {
      id: "webhooks.most-1-000-deliveries",
      says: "At most 1,000 deliveries wait for a receiver; beyond that the oldest is given up.",
      tests: ["packages/webhooks/test/restart.test.ts > webhooks over a restart of the hub > give up the oldest when more than 1,000 wait"],
    },
    {
      id: "webhooks.askbox-hub-status-askbox",
      says: "`askbox hub status` and `askbox doctor` say how each does.",
      tests: [
        "tests/command/webhooks.test.ts > a hub tells its config's webhooks of a question and its answer, signed by a secret in a file, and status says how they do",
        "tests/command/webhooks.test.ts > a receiver that is down holds up neither the agent nor the person, and doctor names it",
      ],
    },
    {
      id: "webhooks.they-show-little-url",
      says: "They show little of its URL, which may be a secret.",
      tests: [
        "packages/webhooks/test/webhooks.test.ts > a webhook > names the cause when there is nobody, and shows little of a URL that may be a secret",
      ],
    },
  ],
  explained: [
    {
      because: "advice",
      says: ["They are settings in `config.json`:"],
    },
  ],
};
