import type { PromisedPage } from "../promise.ts";

export const httpTasksPage: PromisedPage = {
  page: "docs/http.md",
  promises: [
    {
      id: "http.client-declares-tasks-extension",
      says: "A client that declares the Tasks extension (`io.modelcontextprotocol/tasks`, revision 2026-07-28) need not hold a stream open for a person.",
      tests: ["tests/requirements/list/tasks.ts > a question of a client that takes tasks becomes one at once, and says how to answer"],
    },
    {
      id: "http.questions-become-tasks-over",
      says: "Its questions become tasks, over HTTP and on stdio alike; other clients see nothing of it.",
      tests: [
        "tests/requirements/list/tasks.ts > a question of a client that takes tasks becomes one at once, and says how to answer",
        "tests/requirements/list/tasks.ts > a client that does not declare tasks has its call answered as ever, and is told what tasks/get takes",
      ],
    },
    {
      id: "http.tools-call-puts-question",
      says: "`tools/call` | puts the question to a person and comes back at once with a task, or with a result where there is one already",
      tests: [
        "tests/requirements/list/tasks.ts > a question of a client that takes tasks becomes one at once, and says how to answer",
        "tests/requirements/list/tasks.ts > what was answered while nobody looked is the result of the same ask at once, and no task",
      ],
    },
    {
      id: "http.tasks-get-working-until",
      says: "`tasks/get` | `working` until the question is settled; then `completed` with the tool's own result. A cancelled question and a timeout are results too",
      tests: [
        "tests/requirements/list/tasks.ts > a task brings the tool's own result once it is answered, again and again, and it is delivered with the first",
        "tests/requirements/list/tasks.ts > a person's no completes a task; it is not the agent's own cancelling",
        "tests/requirements/list/tasks.ts > a task that nobody answers in time completes and says so; it is looked at less often after a minute",
      ],
    },
    {
      id: "http.tasks-cancel-takes-question",
      says: "`tasks/cancel` | takes the question back; the task is then `cancelled`. Of no effect on one that is settled",
      tests: ["tests/requirements/list/tasks.ts > tasks/cancel takes the questions back; of one that has ended it changes nothing"],
    },
    {
      id: "http.tasks-update-taken-changes",
      says: "`tasks/update` | is taken and changes nothing: only a person answers",
      tests: ["tests/requirements/list/tasks.ts > tasks/update is taken and answers nothing: only a person answers"],
    },
    {
      id: "http.task-question-itself-outlives",
      says: "A task is the question itself: it outlives connections, the server and the hub, and only the token that asked sees it.",
      tests: [
        "tests/mcp/hub-restart.test.ts > after the hub was started again > a task is there for the token that owns it, and for no other",
        "tests/requirements/list/tasks.ts > a task that nobody fetched keeps its answer for another agent, and is there all the same",
      ],
    },
    {
      id: "http.look-every-second-first",
      says: "Look every second for the first minute and every 5 s after that (`pollIntervalMs`).",
      tests: [
        "tests/requirements/list/tasks.ts > a task that nobody answers in time completes and says so; it is looked at less often after a minute",
      ],
    },
    {
      id: "http.can-fetched-day-after",
      says: "It can be fetched for a day after its deadline at least (`ttlMs`), as often as one likes; an answer that was never fetched comes with the agent's next result, as always.",
      tests: [
        "tests/requirements/list/tasks.ts > a task brings the tool's own result once it is answered, again and again, and it is delivered with the first",
        "tests/requirements/list/tasks.ts > a task that nobody fetched keeps its answer for another agent, and is there all the same",
        "tests/requirements/list/tasks.ts > a question of a client that takes tasks becomes one at once, and says how to answer",
      ],
    },
    {
      id: "http.telling-tasks-over-subscriptions",
      says: "Telling of tasks over `subscriptions/listen` is not offered, nor are the experimental tasks of 2025-11-25.",
      tests: [
        "tests/requirements/list/tasks.ts > a client that does not declare tasks cannot listen for them",
        "tests/requirements/list/tasks.ts > tasks are advertised as an extension, and not as the older experiment",
      ],
    },
  ],
  explained: [],
};
