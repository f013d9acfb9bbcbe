import { AskboxError } from "@askbox/core";
import { quote } from "@askbox/core/schemas";
import { checkAgent } from "@askbox/core/stores";
import { type OperationName, perform, personSchema } from "@askbox/wire";
import { type Context, Hono } from "hono";
import type { NamedTokens } from "../auth/named-tokens.ts";
import { authenticate, requireScope, type Verify } from "../auth/verify.ts";
import { ask, getSession, replyBack } from "./asking.ts";
import { answererOf, check, limitBody, type RestContext, type RestEnv, readJson } from "./context.ts";
import {
  isOwn,
  listQuerySchema,
  operationOf,
  ownParams,
  pathParam,
  type RestName,
  type RestOperation,
  ranRestSchema,
  restOperations,
} from "./operations.ts";
import { problemOf, respond } from "./problem.ts";

type Handler = (c: Context<RestEnv>, id: string) => Promise<Response>;
type Params = Readonly<Record<string, unknown>>;

/** The largest bodies, in bytes, of what has no text of an agent. */
// keys: the paths of our own operations.
const largestBodies: Readonly<Record<string, number>> = { agents: 32_768, grants: 16_384, tokens: 4_096 };

/** The routes of all operations, below `/api`. */
export function restRoutes(context: RestContext, tokens: NamedTokens, verify: Verify): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const handlers: Record<RestName, Handler> = {
    ask: (c) => ask(c, context),
    get: (c, id) => getSession(c, id, context),
    resume: (c, id) => replyBack(c, id, context),
    watch: async (c) => (await events()).watchInbox(c, context),
    listAgents: async (c) => (await own()).listAgents(c, context),
    sendAskUserEvent: async (c) => (await events()).sendAskUserEvent(c, context),
    createGrant: async (c) => (await own()).createGrant(c, context, tokens),
    listDecisions: async (c) => (await own()).listDecisions(c, context),
    listTokens: async (c) => (await own()).listTokens(c, tokens),
    createToken: async (c) => (await own()).createToken(c, tokens, context.advice),
    renameToken: async (c, id) => (await own()).renameToken(c, id, tokens, context.advice),
    revokeToken: async (c, id) => (await own()).revokeToken(c, id, tokens, context),
  };
  // Without a token, nobody learns which paths exist.
  for (const folder of new Set(restOperations.map(({ path }) => folderOf(path)))) {
    app.use(`/api/${folder}/*`, async (c, next) => {
      c.set("access", await authenticate(c.req.raw, verify, context.advice));
      await next();
    });
  }
  for (const { name, method, path, scopes, takes } of restOperations) {
    const folder = folderOf(path);
    const handle = isOwn(name) ? handlers[name] : handlerOf(name, takes, context);
    app.on(method, path.replace("{id}", ":id"), limitBody(largestBodies[folder] ?? context.limits.requestBytes), (c) => {
      const access = c.get("access");
      if (folder === "sessions" && !scopes.includes("asker") && !access.scopes.includes("desk")) throw asksOnly();
      requireScope(access, ...scopes);
      return handle(c, c.req.param("id") ?? "");
    });
  }
  return app;
}

/** Loaded late. */
const events = () => import("./events.ts");
const own = () => import("./own-handlers.ts");

const folderOf = (path: string): string => path.split("/")[2] ?? "";

/** Asker tokens see one session at a time and cannot settle any. */
const asksOnly = () => new AskboxError("FORBIDDEN", "This token can neither list nor settle sessions; use one with the scope desk.");

/** What calls a port is the same as on the wire, with its parameters in other places. */
function handlerOf(name: OperationName, takes: RestOperation["takes"], context: RestContext): Handler {
  const { broker } = context;
  const operation = operationOf(name);
  const { rest, repeat } = operation;
  const idName = pathParam(operation);
  const ownNames = new Set(ownParams(operation).map(([key]) => key));
  const readParams = async (c: Context<RestEnv>, id: string): Promise<Params> => {
    const inPath = idName === undefined ? {} : { [idName]: id };
    const body = await (readers[name]?.(c) ?? (takes && readJson(c, { exact: repeat === "operation" }).then((json) => check(takes, json))));
    if (rest?.inline === undefined) return { ...inPath, ...Object(body) };
    const fields = Object.entries(Object(body));
    const inline = Object.fromEntries(fields.filter(([key]) => !ownNames.has(key)));
    return { ...inPath, ...Object.fromEntries(fields.filter(([key]) => ownNames.has(key))), [rest.inline]: inline };
  };
  return async (c, id) => {
    const { by, ...params } = await readParams(c, id);
    const desk = broker.desk(answererOf(c, personSchema.parse(by)));
    try {
      const result = await perform({ desk, agents: broker.agents, grants: broker.grants, ran: broker.ran }, name, params);
      if (rest?.status === 204) return result === false ? respond(nothingToRemove(name, id, context)) : c.body(null, 204);
      const body = JSON.stringify(Array.isArray(result) ? { items: result } : result);
      return c.body(body, rest?.status, { "content-type": "application/json" });
    } finally {
      desk.close();
    }
  };
}

/** Reads what is not just the body's fields. */
const readers: Partial<Record<OperationName, (c: Context<RestEnv>) => Promise<Params>>> = {
  async list(c) {
    const { status, q, ...rest } = check(listQuerySchema, c.req.query());
    return { ...rest, statuses: status, text: q };
  },
  async listRan(c) {
    const { q, ...query } = check(ranRestSchema, c.req.query());
    return { query: { ...query, text: q } };
  },
  addAgent: async (c) => checkAgent(await readJson(c)),
};

function nothingToRemove(name: OperationName, id: string, { advice }: RestContext) {
  if (name === "removeAgent") return problemOf(new AskboxError("UNKNOWN_AGENT", `No agent is registered as ${quote(id)}.`));
  return problemOf(new AskboxError("VALIDATION", `There is no grant ${quote(id)}; ${advice.grants}.`), 404);
}
