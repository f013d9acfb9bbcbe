import { spawn } from "node:child_process";
import { generateKeyPairSync, sign } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { openDesk } from "../command/support/desk.ts";
import { type Home, openHome, program } from "../command/support/home.ts";
import { until } from "../support/until.ts";

const folder = resolve(import.meta.dirname, "../../examples/elsewhere");
const read = (name: string) => readFileSync(join(folder, name), "utf8");

let hub: Home;
let runner: Home;
beforeEach(async () => {
  [hub, runner] = await Promise.all([openHome(), openHome()]);
});
afterEach(async () => {
  await runner.close();
  await hub.close();
});

/** A service that signs tokens for jobs, as GitHub does: a request of the job with its secret gets one for an audience. */
async function service(claims: object) {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const token = (audience: string) => {
    const now = Math.floor(Date.now() / 1_000);
    const payload = { iss: issuer, aud: audience, iat: now, exp: now + 300, jti: String(Math.random()), ...claims };
    const text = `${encoded({ alg: "RS256", kid: "one" })}.${encoded(payload)}`;
    return `${text}.${sign("sha256", Buffer.from(text), privateKey).toString("base64url")}`;
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://service");
    const send = (body: object) => response.setHeader("content-type", "application/json").end(JSON.stringify(body));
    if (url.pathname === "/keys") return send({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "one", alg: "RS256", use: "sig" }] });
    if (url.pathname !== "/token") return send({ issuer, jwks_uri: `${issuer}/keys` });
    if (request.headers.authorization !== "Bearer of-the-job") return response.writeHead(401).end();
    return send({ value: token(url.searchParams.get("audience") ?? "") });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { issuer, token };
}

async function serve(jobs: object[]) {
  writeFileSync(join(hub.path, "config.json"), JSON.stringify({ jobs }));
  await hub.serve();
  return JSON.parse(readFileSync(join(hub.path, "hub.json"), "utf8")).url as string;
}

/** Runs the lines of a job as a runner does, each in a shell of its own, until one fails; `always` come in any case. */
async function run(lines: readonly string[], always: readonly string[], env: Record<string, string>) {
  writeFileSync(join(runner.path, "npx"), `#!/bin/sh\nshift 2\nexec ${program.map((word) => `'${word}'`).join(" ")} "$@"\n`, {
    mode: 0o755,
  });
  const at = {
    PATH: `${runner.path}:${process.env["PATH"]}`,
    HOME: runner.path,
    ASKBOX_HOME: runner.path,
    ASKBOX_ATTENTION: "none",
    ...env,
  };
  let output = "";
  const each = (line: string) =>
    new Promise<number>((done) => {
      const child = spawn("bash", ["-e", "-c", line], { cwd: runner.path, env: at });
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
      child.on("close", (code) => done(code ?? 1));
    });
  let code = 0;
  for (const line of lines) if (code === 0) code = await each(line);
  for (const line of always) await each(line);
  return { code, output };
}

test("the job of GitHub joins without a secret, deploys after a yes, and leaves nothing behind", async () => {
  const github = await service({ repository: "acme/shop", ref: "refs/heads/main" });
  const url = await serve([{ name: "shop-ci", issuer: github.issuer, claims: { repository: "acme/shop", ref: "refs/heads/main" } }]);
  const { jobs, permissions } = parse(read("github.yml"));
  expect(permissions["id-token"]).toBe("write");
  const steps: { run: string; if?: string }[] = jobs.deploy.steps;
  const env = {
    ...{ HUB: url, GITHUB_REPOSITORY: "acme/shop", GITHUB_SHA: "0123456789abcdef" },
    ...{ ACTIONS_ID_TOKEN_REQUEST_URL: `${github.issuer}/token?api=2`, ACTIONS_ID_TOKEN_REQUEST_TOKEN: "of-the-job" },
  };
  const { desk, only, answer } = await openDesk(hub, "process");
  const lines = (when: boolean) => steps.filter((step) => (step.if === undefined) === when).map((step) => step.run);
  const job = run(lines(true), lines(false), env);
  const id = await only("pending");
  expect(await desk.get(id)).toMatchObject({ asker: { machine: "shop-ci" }, questions: [{ question: "Deploy acme/shop at 0123456?" }] });
  await answer(id, ["yes"]);
  expect(await job).toMatchObject({ code: 0, output: expect.stringContaining("Here it would be deployed.") });
  expect(JSON.parse((await hub.run(["machines", "--json"])).stdout)).toEqual([]);
});

test("the job of GitLab joins with the token in its environment; on another branch it is refused and told why", async () => {
  const gitlab = await service({ project_path: "acme/site", ref: "main" });
  const url = await serve([{ name: "site-ci", issuer: gitlab.issuer, claims: { project_path: "acme/site", ref: "main" } }]);
  const { deploy } = parse(read("gitlab-ci.yml"));
  const env = (token: string) => ({ HUB: url, CI_PROJECT_PATH: "acme/site", CI_COMMIT_SHORT_SHA: "01234567", ASKBOX_ID_TOKEN: token });
  // GitLab runs the lines in one shell.
  const script = [deploy.script.join("\n")];
  const { only, answer } = await openDesk(hub, "process");
  const audience = deploy.id_tokens.ASKBOX_ID_TOKEN.aud;
  const job = run(script, deploy.after_script, env(gitlab.token(audience)));
  await answer(await only("pending"), ["no"]);
  expect(await job).toMatchObject({ code: 1, output: expect.not.stringContaining("would be deployed") });
  await until("it has left", async () => JSON.parse((await hub.run(["machines", "--json"])).stdout).length === 0);

  const other = await service({ project_path: "acme/site", ref: "x" });
  const refused = await run(script, [], env(other.token(audience)));
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining("No entry of jobs names the issuer") });
});

test("the container's files mount the folder of a socket and nothing else of askbox, where the invitation says", () => {
  const { services } = parse(read("compose.yaml"));
  expect(services.agent.volumes).toContain("~/.askbox-socket:/run/askbox:ro");
  expect(services.agent.network_mode).toBe("none");
  // Without a network, nothing can be fetched when it runs.
  expect(services.agent.command).toMatch(/^askbox ask /);
  expect(services.agent.build.dockerfile_inline).toContain("\nRUN npm install --global askbox");
  const devcontainer = JSON.parse(read("devcontainer.json").replaceAll(/^ *\/\/.*$/gm, ""));
  expect(devcontainer.mounts).toEqual([expect.stringMatching(/^source=\S+\/\.askbox-socket,target=\/run\/askbox,type=bind,readonly$/)]);
  for (const name of ["compose.yaml", "devcontainer.json"]) expect(read(name)).toContain("--at unix:/run/askbox/hub.sock");
});
