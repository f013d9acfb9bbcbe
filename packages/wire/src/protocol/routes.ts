import type { Rest } from "./operation.ts";
import type { OperationName } from "./operations.ts";

const one = "/api/sessions/{id}";

/** The routes of operations other than the verbs for one session, whose rows have them. They are apart since no page needs them. */
export const routes: { readonly [Name in OperationName]?: Rest } = {
  list: {
    at: "GET /api/sessions",
    id: "listSessions",
    summary: "List sessions",
    answer: "SessionList",
    refusals: [400],
  },
  ask: {
    at: "POST /api/sessions",
    id: "ask",
    summary: "Ask",
    body: "AskRequest",
    status: 201,
    answer: "Account",
    refusals: [404, 409],
  },
  get: {
    at: `GET ${one}`,
    id: "getSession",
    summary: "Get one session, after `wait` seconds or once it is settled",
    scopes: ["asker", "desk"],
    answer: "SessionOrAccount",
    refusals: [400, 404],
  },
  resume: {
    at: `POST ${one}/reply-back`,
    id: "replyBack",
    summary: "Reply to what a person asked back, and keep waiting",
    body: "ReplyBackRequest",
    answer: "Account",
    refusals: [404, 409],
  },
  watch: {
    at: "GET /api/events",
    id: "watchInbox",
    summary: "Watch the inbox: a snapshot, then each change",
    answer: "DeskEvent",
    isStream: true,
    refusals: [400],
  },
  getDraft: {
    at: `GET ${one}/draft`,
    id: "getDraft",
    summary: "See the draft",
    answer: "DraftOrNull",
    refusals: [404],
  },
  listAgents: {
    at: "GET /api/agents",
    id: "listAgents",
    summary: "List the registered agents, and the conversations of all that asked lately",
    answer: "AgentList",
  },
  message: {
    at: "POST /api/agents/{id}/messages",
    id: "messageAgent",
    summary: "Write to an agent's conversation, by its id or that of one of its sessions",
    body: "MessageRequest",
    answer: "SessionView",
    refusals: [404, 409],
  },
  addAgent: {
    at: "POST /api/agents",
    id: "registerAgent",
    summary: "Register an agent, or update it",
    body: "AgentRequest",
    inline: "agent",
    status: 201,
    answer: "RegisteredAgent",
  },
  removeAgent: {
    at: "DELETE /api/agents/{id}",
    id: "forgetAgent",
    summary: "Remove an agent",
    status: 204,
    refusals: [404],
  },
  listGrants: {
    at: "GET /api/grants",
    id: "listGrants",
    summary: "List what people have allowed in advance",
    answer: "GrantList",
  },
  revokeGrant: {
    at: "DELETE /api/grants/{id}",
    id: "revokeGrant",
    summary: "Revoke a grant",
    status: 204,
    refusals: [404],
  },
  saveDraft: {
    at: `PATCH ${one}/draft`,
    id: "saveDraft",
    summary: "Change the draft",
    body: "DraftPatch",
    inline: "patch",
    without: "by",
    answer: "Draft",
    refusals: [404, 409],
  },
};
