import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { testPlatform } from "@askbox/core/testing";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { expect, onTestFinished, test } from "vitest";
import { type JobTokensOptions, jobTokens } from "../src/job-tokens.ts";

/** A service like GitHub's: it describes itself, and signs tokens with one of its keys. */
async function issuer(described: { issuer?: string; redirect?: string } = {}) {
  const keys = {
    RS256: await generateKeyPair("RS256", { extractable: true }),
    ES256: await generateKeyPair("ES256", { extractable: true }),
  };
  const published = await Promise.all(
    Object.entries(keys).map(async ([alg, { publicKey }]) => ({ ...(await exportJWK(publicKey)), kid: alg, alg, use: "sig" })),
  );
  const requested: string[] = [];
  const state = { isDown: false };
  const server = createServer(({ url = "" }, response) => {
    requested.push(url);
    if (state.isDown) return response.destroy();
    if (described.redirect !== undefined) return response.writeHead(302, { location: described.redirect }).end();
    const text = url.startsWith("/keys") ? { keys: published } : { issuer: described.issuer ?? name, jwks_uri: `${name}/keys` };
    return response.setHeader("content-type", "application/json").end(JSON.stringify(text));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  const name = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { clock } = testPlatform();
  const now = Math.floor(clock.now() / 1_000);
  let count = 0;
  const sign = (
    claims: JWTPayload = {},
    { alg = "RS256", age = 0, key }: { alg?: string; age?: number; key?: CryptoKey | Uint8Array } = {},
  ) => {
    count += 1;
    return new SignJWT({ iss: name, aud: "askbox", repository: "acme/shop", ref: "refs/heads/main", jti: String(count), ...claims })
      .setProtectedHeader({ alg, kid: alg === "HS256" ? "RS256" : alg })
      .setIssuedAt(now - age)
      .setExpirationTime(now - age + 300)
      .sign(key ?? keys[alg as keyof typeof keys].privateKey);
  };
  const entry = (more: object = {}): JobTokensOptions["jobs"][number] => ({
    ...{ name: "shop-ci", issuer: name, audience: "askbox", minutes: 30 },
    claims: { repository: "acme/shop", ref: ["refs/heads/main", "refs/heads/next"] },
    ...more,
  });
  const seen = new Set<string>();
  const isNew = async (digest: string) => !seen.has(digest) && seen.add(digest) !== undefined;
  const verify = (jobs = [entry()]) => jobTokens({ jobs, clock, log: () => {}, isNew });
  return { name, keys, published, requested, state, clock, sign, entry, verify };
}

test.each(["RS256", "ES256"])(
  "a job whose token %s signs, for this audience and repository and branch, is let in for its time",
  async (alg) => {
    const { sign, verify } = await issuer();
    expect(await verify()(await sign({}, { alg }))).toEqual({ name: "shop-ci", expiresIn: 1_800_000 });
  },
);

test("the first entry that has all of its claims counts, and a claim may be one of several", async () => {
  const { sign, verify, entry } = await issuer();
  const jobs = [entry({ name: "deploy", claims: { repository: "acme/shop", environment: "production" } }), entry()];
  expect((await verify(jobs)(await sign({ environment: "production" }))).name).toBe("deploy");
  expect((await verify(jobs)(await sign({ ref: "refs/heads/next" }))).name).toBe("shop-ci");
});

test.each<[string, object, string]>([
  ["another repository", { repository: "mallory/shop" }, 'repository "mallory/shop"'],
  ["a repository whose name begins so", { repository: "acme/shop-2" }, 'repository "acme/shop-2"'],
  ["another branch", { ref: "refs/heads/x" }, 'ref "refs/heads/x"'],
  ["no branch", { ref: undefined }, 'ref "absent"'],
  ["a claim that is no text", { repository: { toString: "acme/shop" } }, 'repository "absent"'],
  ["another audience", { aud: "other" }, "ERR_JWT_CLAIM_VALIDATION_FAILED"],
])("a job of %s is refused, and told what the entry would have to say", async (_what, claims, why) => {
  const { sign, verify } = await issuer();
  await expect(verify()(await sign(claims as JWTPayload))).rejects.toMatchObject({
    code: "UNAUTHORIZED",
    message: expect.stringContaining(why),
  });
});

test("a token that is over, from before an hour, unsigned, signed by another key or with the public key as a secret is refused", async () => {
  const { sign, verify, name, published } = await issuer();
  const letIn = verify();
  const other = await generateKeyPair("RS256");
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const [, payload = ""] = (await sign()).split(".");
  const tokens = [
    await sign({}, { age: 400 }),
    await sign({}, { key: other.privateKey }),
    await sign({}, { alg: "HS256", key: new TextEncoder().encode(JSON.stringify(published[0])) }),
    `${encoded({ alg: "none" })}.${payload}.`,
    `${encoded({ alg: "RS256", kid: "RS256" })}.${encoded({ iss: name, aud: "askbox", repository: "acme/shop", ref: "refs/heads/main" })}.AAAA`,
    "",
    "a.b.c",
    "x".repeat(10_000),
  ];
  for (const token of tokens) await expect(letIn(token), token.slice(0, 40)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
});

test("nothing is fetched for an issuer that no entry names, whatever its token says", async () => {
  const [mine, theirs] = [await issuer(), await issuer()];
  await expect(mine.verify()(await theirs.sign())).rejects.toThrow(`No entry of jobs names the issuer "${theirs.name}"`);
  await expect(mine.verify([])(await mine.sign())).rejects.toThrow("lets no job in");
  expect([mine.requested, theirs.requested]).toEqual([[], []]);
});

test("a token lets one job in, also if many send it at once", async () => {
  const { sign, verify } = await issuer();
  const [letIn, token] = [verify(), await sign()];
  const tries = await Promise.allSettled(Array.from({ length: 10 }, () => letIn(token)));
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("a token lets one job in, however its signature is written", async () => {
  const { sign, verify } = await issuer();
  const [letIn, token] = [verify(), await sign()];
  await letIn(token);
  for (const again of [`${token} `, `${token}==`, token.replace(/(.{5})$/, " $1")]) await expect(letIn(again)).rejects.toThrow();
});

test("an issuer that is away refuses the job, and is asked again after a pause, whatever comes meanwhile", async () => {
  const { sign, verify, state, requested, clock } = await issuer();
  const letIn = verify();
  state.isDown = true;
  await expect(letIn(await sign())).rejects.toThrow("could not be reached");
  await expect(letIn(await sign())).rejects.toThrow("could not be reached");
  expect(requested).toHaveLength(1);
  state.isDown = false;
  await clock.advance(5_000);
  await letIn(await sign());
  await letIn(await sign());
  // Its keys are asked for once.
  expect(requested.filter((url) => url.startsWith("/keys"))).toHaveLength(1);
});

test("an issuer that describes another, or sends elsewhere, is not believed", async () => {
  for (const described of [{ issuer: "https://gitlab.com" }, { redirect: "https://gitlab.com/.well-known/openid-configuration" }]) {
    const { sign, verify } = await issuer(described);
    await expect(verify()(await sign())).rejects.toThrow("could not be reached");
  }
});
