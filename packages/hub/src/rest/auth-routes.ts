import { AskboxError, type Broker, type Clock, type Log } from "@askbox/core";
import { type Context, Hono } from "hono";
import * as z from "zod";
import { type CookieScope, type Device, deviceCookie, noDeviceCookie } from "../auth/devices.ts";
import type { LoginDesk } from "../auth/login.ts";
import { idOf, type NamedTokens } from "../auth/named-tokens.ts";
import { authenticate, requireScope, type Verify } from "../auth/verify.ts";
import type { HubAdvice } from "../server/advice.ts";
import type { HubOptions } from "../server/hub-options.ts";
import { check, limitBody, type RestEnv, readJson } from "./context.ts";
import { nameSchema } from "./operations.ts";
import { problemOf, respond } from "./problem.ts";

/** Bytes; a job's token has many claims. */
const [largestBody, largestJoin] = [4_096, 16_384];
const loginSchema = z.object({ code: z.string().max(200), device: z.string().max(1_000).optional() });

const inviteSchema = z.object({ scope: z.enum(["asker", "desk"]).default("asker"), name: nameSchema.optional() });
const joinSchema = z.union([
  z.object({ code: z.string().max(200), name: z.string().max(1_000) }),
  z.object({ jobToken: z.string().max(12_000) }),
]);

export interface AuthRoutes extends CookieScope {
  login: LoginDesk;
  named: Pick<NamedTokens, "createFree" | "revoke">;
  broker: Broker;
  log: Log;
  clock: Clock;
  verify: Verify;
  joinByToken: HubOptions["joinByToken"];
  /** Counts a failed login by its address. */
  attempts(address: string): Promise<void>;
  /** The hub's identity. */
  hub: string;
  advice: HubAdvice;
}

/** Everything under `/auth`: browsers that log in, and machines that join. */
export function authRoutes({
  login,
  named,
  joinByToken,
  broker,
  clock,
  log,
  verify,
  attempts,
  site,
  publicPath,
  hub,
  advice,
}: AuthRoutes): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const { devices } = login;
  const cookies: CookieScope = { site, publicPath };
  const asDesk = async (c: Context<RestEnv>) => {
    const access = await authenticate(c.req.raw, verify, advice);
    requireScope(access, "desk");
    return access;
  };
  const seenBy =
    (own: string | undefined) =>
    (device: Device): Device & { current: boolean } => ({ ...device, current: device.id === own });

  const shownTo = ({ token, id, name, scope, expiresAt }: Awaited<ReturnType<typeof named.createFree>>) => ({
    ...{ token, id, name, scope, expiresAt },
    hub,
  });
  const joinJob = async (jobToken: string, address: string) => {
    if (joinByToken === undefined) throw new AskboxError("UNAUTHORIZED", "This hub lets no job in by a token of its own.");
    const { name, expiresIn } = await joinByToken(jobToken).catch(async (error: unknown) => {
      await attempts(address);
      throw error;
    });
    return shownTo(await named.createFree({ name, scope: "asker", machine: true, expiresIn }));
  };

  app.use((c, next) => limitBody(c.req.path.endsWith("/join") ? largestJoin : largestBody)(c, next));
  // Whether the page can use the session of the program around the hub.
  app.get("/session", async (c) => {
    const access = await verify(undefined, c.req.raw);
    return c.json({ session: access?.scopes.includes("desk") === true });
  });
  app.post("/codes", async (c) => {
    const { device, name, person = name, owner, expiresAt } = await asDesk(c);
    if (device !== undefined) {
      throw (await import("../auth/login-refusals.ts")).noLinksForBrowsers(advice);
    }
    const guarantor = name === undefined && expiresAt === undefined ? undefined : { owner, expiresAt };
    const { kept, ...link } = login.createLink({ guarantor, person });
    await kept;
    return c.json(link, 201);
  });
  app.post("/login", async (c) => {
    const { code, device: name } = check(loginSchema, await readJson(c));
    const redeemed = await login.redeem(code);
    if (redeemed.refusal !== undefined) {
      // A valid code is never rate-limited, whatever others try from the same address.
      await attempts(c.env.address);
      const { status, sentence } = redeemed.refusal;
      return respond(problemOf(new AskboxError("UNAUTHORIZED", sentence), status));
    }
    const { device, cookie, secret } = await devices.logIn(name, redeemed.login);
    const { guarantor } = redeemed.login;
    if (guarantor !== undefined && (await login.wasRevoked(guarantor.owner))) {
      await devices.revoke(device.id);
      throw new AskboxError("UNAUTHORIZED", "The token that made this link was revoked meanwhile.");
    }
    c.header("set-cookie", deviceCookie(cookie, cookies, c.req.raw));
    return c.json({ secret, hub, device: seenBy(device.id)(device) });
  });
  app.post("/invites", async (c) => {
    const { device, name, owner, expiresAt } = await asDesk(c);
    if (device !== undefined) {
      throw (await import("../auth/login-refusals.ts")).noInvitesByBrowsers(advice);
    }
    const guarantor = name === undefined && expiresAt === undefined ? undefined : { owner, expiresAt };
    const { kept, ...invitation } = login.invite(check(inviteSchema, await readJson(c)), guarantor);
    await kept;
    return c.json(invitation, 201);
  });
  app.post("/join", async (c) => {
    const wish = check(joinSchema, await readJson(c));
    if ("jobToken" in wish) return c.json(await joinJob(wish.jobToken, c.env.address), 201);
    const { code, name } = wish;
    const redeemed = await login.redeem(code, "join");
    if (redeemed.refusal !== undefined) {
      await attempts(c.env.address);
      const { status, sentence } = redeemed.refusal;
      return respond(problemOf(new AskboxError("UNAUTHORIZED", sentence), status));
    }
    const { guarantor, machine } = redeemed.login;
    const expiresIn = guarantor?.expiresAt === undefined ? undefined : guarantor.expiresAt - clock.now();
    const token = await named.createFree(
      { name: machine?.name ?? machineName(name), scope: machine?.scope ?? "asker", machine: true, expiresIn },
      guarantor,
    );
    return c.json(shownTo(token), 201);
  });
  // A machine that leaves, such as at the end of a job: of all that a token could end, only itself.
  app.post("/leave", async (c) => {
    const { machine, owner } = await authenticate(c.req.raw, verify, advice);
    if (machine === undefined) throw new AskboxError("FORBIDDEN", "Only a machine that has joined can leave.");
    const left = await named.revoke(idOf(owner));
    if (left !== undefined) await (await import("./own-handlers.ts")).withdrawOf(left, "left", { broker, log });
    return c.body(null, 204);
  });
  app.get("/devices", async (c) => {
    const { device } = await asDesk(c);
    return c.json({ items: (await devices.list()).map(seenBy(device?.id)) });
  });
  app.delete("/devices/:id", async (c) => {
    const { device } = await asDesk(c);
    const id = c.req.param("id");
    if (!(await devices.revoke(id))) return c.notFound();
    if (device?.id === id) c.header("set-cookie", noDeviceCookie(cookies, c.req.raw));
    return c.body(null, 204);
  });
  app.post("/logout", async (c) => {
    const { device } = await asDesk(c);
    if (device === undefined) throw (await import("../auth/login-refusals.ts")).onlyBrowsersLogOut();
    await devices.revoke(device.id);
    c.header("set-cookie", noDeviceCookie(cookies, c.req.raw));
    return c.body(null, 204);
  });
  // For a page, whose scripts cannot access the cookie; it logs out over the wire.
  app.delete("/cookie", (c) => {
    c.header("set-cookie", noDeviceCookie(cookies, c.req.raw));
    return c.body(null, 204);
  });
  return app;
}

/** A machine's name for itself, such as its host name, as the name of a token: `build-7.example`. */
function machineName(text: string): string {
  const name = text
    .replaceAll(/[^\w.@-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 50);
  return /^.*\w/.exec(name)?.[0] ?? "machine";
}
