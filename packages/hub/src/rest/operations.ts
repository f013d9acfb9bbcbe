import type * as z from "zod";
import { waitAsAskerSchema } from "./asker-routes.ts";
import { auditQuerySchema } from "./audit-routes.ts";
import { querySchema } from "./desk-routes.ts";
import { eventsQuerySchema, sentEventQuerySchema } from "./event-routes.ts";
import type { SchemaName } from "./named-schemas.ts";

/** The error responses that are distinguished, by status. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 413 | 422 | 429;

/** One operation of the REST interface, as described in OpenAPI. */
export interface Operation {
  id: string;
  tag: "Sessions" | "Drafts" | "Agents" | "Grants" | "Audit" | "Tokens";
  method: "get" | "post" | "patch" | "delete";
  path: string;
  summary: string;
  scopes: readonly ("asker" | "desk")[];
  query?: z.ZodObject;
  body?: SchemaName;
  status?: 200 | 201 | 204;
  /** Undefined for a response without a body. */
  answer?: SchemaName;
  /** The response is an endless stream of server-sent events. */
  isStream?: true;
  /** In addition to those of every operation: 401, 403 and 429, and 400 and 413 if it has a body. */
  refusals?: readonly RefusalStatus[];
}

const one = "/api/sessions/{id}";
const agents = "/api/agents";
const grants = "/api/grants";
const audit = "/api/audit";
const tokens = "/api/tokens";
/** Why settling a session may be rejected. */
const settling: readonly RefusalStatus[] = [404, 409];

const ofSessions: readonly Omit<Operation, "tag">[] = [
  {
    ...{ id: "listSessions", method: "get", path: "/api/sessions", summary: "List sessions", scopes: ["desk"] },
    ...{ query: querySchema, answer: "SessionList", refusals: [400] },
  },
  {
    ...{ id: "ask", method: "post", path: "/api/sessions", summary: "Ask", scopes: ["asker"] },
    ...{ body: "AskRequest", status: 201, answer: "Account", refusals: [404, 409] },
  },
  {
    ...{ id: "getSession", method: "get", path: one, scopes: ["asker", "desk"] },
    summary: "Get one session, after `wait` seconds or once it is settled",
    ...{ query: waitAsAskerSchema, answer: "SessionOrAccount", refusals: [400, 404] },
  },
  {
    ...{ id: "answerSession", method: "post", path: `${one}/answer`, summary: "Answer", scopes: ["desk"] },
    ...{ body: "AnswerRequest", answer: "SessionView", refusals: [...settling, 422] },
  },
  {
    ...{ id: "recallAnswer", method: "post", path: `${one}/recall`, summary: "Undo a delayed answer", scopes: ["desk"] },
    ...{ body: "Nothing", answer: "SessionView", refusals: settling },
  },
  {
    ...{ id: "replyToSession", method: "post", path: `${one}/reply`, summary: "Reply to a session that timed out", scopes: ["desk"] },
    ...{ body: "ReplyRequest", answer: "SessionView", refusals: [...settling, 422] },
  },
  {
    ...{ id: "askBack", method: "post", path: `${one}/ask-back`, summary: "Ask the agent something before answering", scopes: ["desk"] },
    ...{ body: "AskBackRequest", answer: "SessionView", refusals: settling },
  },
  {
    ...{ id: "replyBack", method: "post", path: `${one}/reply-back`, scopes: ["asker"] },
    summary: "Reply to what a person asked back, and keep waiting",
    ...{ query: waitAsAskerSchema, body: "ReplyBackRequest", answer: "Account", refusals: [404, 409] },
  },
  {
    ...{ id: "cancelSession", method: "post", path: `${one}/cancel`, summary: "Decline the questions", scopes: ["desk"] },
    ...{ body: "CancelRequest", answer: "SessionView", refusals: settling },
  },
  {
    ...{ id: "extendSession", method: "post", path: `${one}/extend`, summary: "Move the deadline", scopes: ["desk"] },
    ...{ body: "ExtendRequest", answer: "SessionView", refusals: settling },
  },
  {
    ...{ id: "watchInbox", method: "get", path: "/api/events", summary: "Watch the inbox: a snapshot, then each change", scopes: ["desk"] },
    ...{ query: eventsQuerySchema, answer: "DeskEvent", isStream: true, refusals: [400] },
  },
  {
    ...{ id: "sendAskUserEvent", method: "post", path: "/api/events", summary: "Settle a request by an event of the ask_user design" },
    ...{ scopes: ["desk"], query: sentEventQuerySchema, body: "AskUserEvent", answer: "SessionView", refusals: settling },
  },
];

const ofDrafts: readonly Omit<Operation, "tag">[] = [
  {
    ...{ id: "getDraft", method: "get", path: `${one}/draft`, summary: "See the draft", scopes: ["desk"] },
    ...{ answer: "DraftOrNull", refusals: [404] },
  },
  {
    ...{ id: "saveDraft", method: "patch", path: `${one}/draft`, summary: "Change the draft", scopes: ["desk"] },
    ...{ body: "DraftPatch", answer: "Draft", refusals: settling },
  },
];

const ofAgents: readonly Omit<Operation, "tag">[] = [
  {
    ...{ id: "listAgents", method: "get", path: agents, summary: "List the registered agents", scopes: ["desk"], answer: "AgentList" },
  },
  {
    ...{ id: "registerAgent", method: "post", path: agents, scopes: ["desk"] },
    summary: "Register an agent, or update it",
    ...{ body: "AgentRequest", status: 201, answer: "RegisteredAgent" },
  },
  {
    ...{ id: "forgetAgent", method: "delete", path: `${agents}/{id}`, summary: "Remove an agent", scopes: ["desk"] },
    ...{ status: 204, refusals: [404] },
  },
];

const ofGrants: readonly Omit<Operation, "tag">[] = [
  {
    ...{ id: "listGrants", method: "get", path: grants, scopes: ["desk"], answer: "GrantList" },
    summary: "List what people have allowed in advance",
  },
  {
    ...{ id: "createGrant", method: "post", path: grants, summary: "Allow simple commands by their first words", scopes: ["desk"] },
    ...{ body: "GrantRequest", status: 201, answer: "Grant" },
  },
  {
    ...{ id: "revokeGrant", method: "delete", path: `${grants}/{id}`, summary: "Revoke a grant", scopes: ["desk"] },
    ...{ status: 204, refusals: [404] },
  },
];

const ofAudit: readonly Omit<Operation, "tag">[] = [
  {
    ...{ id: "listDecisions", method: "get", path: audit, scopes: ["desk"], answer: "AuditPage", query: auditQuerySchema, refusals: [400] },
    summary: "Read the record of approvals, which is a hash chain",
  },
];

const ofTokens: readonly Omit<Operation, "tag">[] = [
  {
    ...{ id: "listTokens", method: "get", path: tokens, scopes: ["desk"], answer: "TokenList" },
    summary: "List named tokens, without the tokens themselves",
  },
  {
    ...{ id: "createToken", method: "post", path: tokens, summary: "Create a token, which is shown only once", scopes: ["desk"] },
    ...{ body: "TokenRequest", status: 201, answer: "NewToken", refusals: [409] },
  },
  {
    ...{ id: "revokeToken", method: "delete", path: `${tokens}/{id}`, summary: "Revoke a token, by id or name", scopes: ["desk"] },
    ...{ answer: "NamedToken", refusals: [404] },
  },
];

const tagged = (tag: Operation["tag"], list: readonly Omit<Operation, "tag">[]): Operation[] =>
  list.map((operation) => ({ ...operation, tag }));

export const operations: readonly Operation[] = [
  ...tagged("Sessions", ofSessions),
  ...tagged("Drafts", ofDrafts),
  ...tagged("Agents", ofAgents),
  ...tagged("Grants", ofGrants),
  ...tagged("Audit", ofAudit),
  ...tagged("Tokens", ofTokens),
];
