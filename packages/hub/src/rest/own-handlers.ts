import { AskboxError } from "@askbox/core";
import { grantWishSchema, prefixGrant } from "@askbox/core/grants";
import { quote } from "@askbox/core/schemas";
import type { Context } from "hono";
import { type NamedToken, type NamedTokens, ownerOf } from "../auth/named-tokens.ts";
import type { HubAdvice } from "../server/advice.ts";
import { answererOf, check, type RestContext, type RestEnv, readJson } from "./context.ts";
import { auditQuerySchema, tokenNameSchema, tokenRequestSchema } from "./operations.ts";
import { problemOf, respond } from "./problem.ts";

/** Entries that are read from the store at a time. */
const pageEntries = 20;
/** A page ends with the line that reaches this many characters. */
const pageCharacters = 1_000_000;

/** The registered agents, and the conversations of all agents. */
export async function listAgents(c: Context<RestEnv>, { broker }: RestContext): Promise<Response> {
  const desk = broker.desk(answererOf(c));
  try {
    return c.json({ items: await broker.agents.list(), conversations: await desk.conversations() });
  } finally {
    desk.close();
  }
}

export async function createGrant(c: Context<RestEnv>, { broker, platform }: RestContext, tokens: NamedTokens): Promise<Response> {
  const request = check(grantWishSchema, await readJson(c));
  const { machine } = request;
  const token = machine === undefined ? undefined : (await tokens.list()).find((each) => each.machine && each.name === machine);
  if (machine !== undefined && token === undefined) throw new AskboxError("VALIDATION", `No machine is called ${quote(machine)}.`);
  const owner = token && ownerOf(token.id);
  const made = prefixGrant(request, { id: platform.ids.session(), by: answererOf(c), now: platform.clock.now(), owner });
  return c.json(await broker.grants.add(made), 201);
}

/** The record of approvals. */
export async function listDecisions(c: Context<RestEnv>, { broker }: RestContext): Promise<Response> {
  const { after } = check(auditQuerySchema, c.req.query());
  const items: string[] = [];
  let next: number | undefined;
  let characters = 0;
  for (const { line, number } of await broker.audit.list(after, pageEntries)) {
    items.push(line);
    next = number;
    characters += line.length;
    if (characters >= pageCharacters) break;
  }
  return c.json({ items, next });
}

export const listTokens = async (c: Context<RestEnv>, tokens: NamedTokens): Promise<Response> => c.json({ items: await tokens.list() });

export async function createToken(c: Context<RestEnv>, tokens: NamedTokens, advice: HubAdvice): Promise<Response> {
  const { device, name, owner, expiresAt } = c.get("access");
  if (device !== undefined) {
    throw new AskboxError("FORBIDDEN", `A browser cannot create tokens; ${advice.createToken}.`);
  }
  const guarantor = name === undefined ? undefined : { owner, expiresAt };
  return c.json(await tokens.create(check(tokenRequestSchema, await readJson(c)), guarantor), 201);
}

export async function renameToken(c: Context<RestEnv>, id: string, tokens: NamedTokens, advice: HubAdvice): Promise<Response> {
  const { name } = check(tokenNameSchema, await readJson(c));
  const renamed = await tokens.rename(id, name);
  return renamed === undefined ? noToken(id, advice) : c.json(renamed);
}

export async function revokeToken(
  c: Context<RestEnv>,
  id: string,
  tokens: NamedTokens,
  { broker, advice, log }: Pick<RestContext, "broker" | "advice" | "log">,
): Promise<Response> {
  const revoked = await tokens.revoke(id);
  if (revoked === undefined) return noToken(id, advice);
  if (revoked.machine) await withdrawOf(revoked, "removed", { broker, log });
  return c.json(revoked);
}

/** Withdraws what a machine that is gone has asked, and says why. The machine is gone even if that fails. */
export async function withdrawOf(
  { id, name }: Pick<NamedToken, "id" | "name">,
  how: "removed" | "left",
  { broker, log }: Pick<RestContext, "broker" | "log">,
): Promise<void> {
  const reason = how === "removed" ? `The machine ${name} was removed.` : `The machine ${name} has left.`;
  await broker.withdrawAll(ownerOf(id), reason).catch((error: unknown) => {
    log("error", "The questions of a machine that is gone could not be withdrawn", { name, error: String(error) });
  });
}

const noToken = (id: string, advice: HubAdvice): Response =>
  respond(problemOf(new AskboxError("VALIDATION", `There is no token ${quote(id)}; ${advice.tokens}.`), 404));
