import { createHash } from "node:crypto";
import { AskboxError, type Clock, type Log } from "@askbox/core";
import { quote } from "@askbox/core/schemas";
import { type Config, httpText } from "@askbox/home";

/**
 * CI jobs that join by the OIDC token of their service, without a secret. A job is let in by the first entry of `jobs` whose issuer signed its
 * token for this audience, and all of whose claims it has: the repository, and the branch or environment.
 *
 * What can go wrong:
 * - A token of another issuer: refused before anything is fetched, since its address is the sender's choice.
 * - The issuer can't be reached, or is slow: refused, and it is asked again with the next job, after a pause.
 * - A token that was read in a log, or sent twice: each lets one job in, for as long as it is good, which is minutes.
 */

type Job = Config["jobs"][number];

/** What a job gets: the machine's name, and milliseconds. */
export interface JoiningJob {
  name: string;
  expiresIn: number;
}

export interface JobTokensOptions {
  jobs: readonly Job[];
  clock: Pick<Clock, "now" | "setTimer">;
  log: Log;
  /** Whether this token is new; `until` is when it can be forgotten, in ms since the epoch. */
  isNew(digest: string, until: number): Promise<boolean>;
}

/** Milliseconds for a request to an issuer; seconds by which clocks differ; bytes of its description. */
const [fetchTime, skew, longestAnswer] = [5_000, 60, 100_000];
/** Milliseconds until an issuer that could not be reached is asked again. */
const pauseAfterFailure = 5_000;
const algorithms = ["RS256", "ES256"];

/** Returns what lets a job in by its token. It throws `UNAUTHORIZED`, with what the owner of the hub has to correct. */
export function jobTokens({ jobs, clock, log, isNew }: JobTokensOptions): (token: string) => Promise<JoiningJob> {
  type Jose = typeof import("jose");
  const keysOf = new Map<string, Promise<ReturnType<Jose["createRemoteJWKSet"]>>>();
  const keys = (issuer: string, jose: Jose) => {
    const known = keysOf.get(issuer);
    if (known !== undefined) return known;
    const found = jwksAddress(issuer).then((url) => jose.createRemoteJWKSet(url, { timeoutDuration: fetchTime }));
    keysOf.set(issuer, found);
    // A stranger's token must not make a request each.
    found.catch(() => clock.setTimer(pauseAfterFailure, () => keysOf.delete(issuer)));
    return found;
  };
  return async (token) => {
    if (jobs.length === 0) throw refused("This hub lets no job in by OIDC; add the job to jobs in its config.json");
    const jose = await import("jose");
    const claims = claimsIn(token, jose);
    const issuer = claimOf(claims, "iss") ?? "";
    const fromIssuer = jobs.filter((job) => job.issuer === issuer);
    if (fromIssuer.length === 0) throw refused(`No entry of jobs names the issuer ${quote(issuer.slice(0, 200))}`);
    const audiences = [...new Set(fromIssuer.map(({ audience }) => audience))];
    const getKey = await keys(issuer, jose).catch((error: unknown) => {
      log("warn", "The issuer of a job's token could not be reached", { issuer, error: String(error) });
      throw refused(`The issuer ${quote(issuer.slice(0, 200))} could not be reached`);
    });
    const { payload } = await jose
      .jwtVerify(token, getKey, {
        issuer,
        audience: audiences,
        algorithms,
        clockTolerance: skew,
        maxTokenAge: 3_600,
        requiredClaims: ["exp", "iat"],
        currentDate: new Date(clock.now()),
      })
      .catch((error: unknown) => {
        log("info", "A job's token was refused", { issuer, error: String(error) });
        throw refused(`The job's token is not good here (${(error as { code?: string }).code ?? "unreadable"})`);
      });
    const job = fromIssuer.find((each) => isFor(each, payload));
    if (job === undefined) throw refused(`No entry of jobs has the claims of this job: ${shownClaims(fromIssuer, payload)}`);
    // Of the signed part only, since a signature can be written in several ways.
    const digest = createHash("sha256")
      .update(token.slice(0, token.lastIndexOf(".")))
      .digest("hex");
    if (!(await isNew(digest, ((payload.exp ?? 0) + skew) * 1_000)))
      throw refused("A job has joined with this token already; request another one");
    log("info", "A job was let in", { name: job.name, issuer, subject: claimOf(payload, "sub") });
    return { name: job.name, expiresIn: job.minutes * 60_000 };
  };
}

const refused = (what: string) => new AskboxError("UNAUTHORIZED", `${what}.`);

function claimsIn(token: string, jose: typeof import("jose")) {
  try {
    return jose.decodeJwt(token);
  } catch {
    throw refused("This is no OIDC token");
  }
}

function isFor({ audience, claims }: Job, payload: Record<string, unknown>): boolean {
  const isAudience = [payload["aud"]].flat().includes(audience);
  return (
    isAudience && Object.entries(claims).every(([name, allowed]) => [allowed].flat().some((value) => claimOf(payload, name) === value))
  );
}

/** A claim as text. Claims that are no text, number or boolean count as absent. */
function claimOf(payload: Record<string, unknown>, name: string): string | undefined {
  const value = Object.hasOwn(payload, name) ? payload[name] : undefined;
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : undefined;
}

/** The job's own values of the claims that are compared: what the config would have to say. */
function shownClaims(jobs: readonly Job[], payload: Record<string, unknown>): string {
  const names = [...new Set(jobs.flatMap(({ claims }) => Object.keys(claims)))];
  return names.map((name) => `${name} ${quote((claimOf(payload, name) ?? "absent").slice(0, 200))}`).join(", ");
}

/** Where the issuer's keys are, as it says itself (OpenID Connect Discovery 1.0, section 4). No redirect is followed. */
async function jwksAddress(issuer: string): Promise<URL> {
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const options = { timeout: fetchTime, longest: longestAnswer, signal: AbortSignal.timeout(fetchTime) };
  const { status, text } = await httpText(issuer, url, options);
  const { issuer: named, jwks_uri: keys } = JSON.parse(text) as Record<string, unknown>;
  if (status !== 200 || named !== issuer) throw new Error(`${url} describes another issuer`);
  const at = new URL(String(keys));
  if (at.protocol !== "https:" && at.hostname !== "127.0.0.1") throw new Error("its keys are not behind https");
  return at;
}
