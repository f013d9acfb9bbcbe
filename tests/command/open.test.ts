import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Home, openHome } from "./support/home.ts";

let home: Home;
beforeEach(async () => {
  home = await openHome();
});
afterEach(() => home.close());

/** What a browser does with a link. */
async function logIn(link: string): Promise<{ status: number; cookie: string; secret: string }> {
  const url = new URL(link);
  const response = await fetch(new URL("/auth/login", url.origin), {
    method: "POST",
    body: JSON.stringify({ code: new URLSearchParams(url.hash.slice(1)).get("login"), device: "Test browser" }),
  });
  const { secret = "" } = (await response.json()) as { secret?: string };
  const [cookie = ""] = (response.headers.getSetCookie()[0] ?? "").split(";");
  return { status: response.status, cookie, secret };
}

/** A program that replaces the system's opener and records the link. */
async function fakeOpener(exitCode: number): Promise<{ env: Record<string, string>; link(): Promise<string> }> {
  const folder = join(home.path, "bin");
  const file = join(home.path, "opened.txt");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "xdg-open"), `#!/bin/sh\nprintf %s "$1" > '${file}'\nexit ${exitCode}\n`);
  await chmod(join(folder, "xdg-open"), 0o755);
  return { env: { PATH: `${folder}:${process.env["PATH"] ?? ""}`, DISPLAY: ":0" }, link: () => readFile(file, "utf8") };
}

describe.skipIf(process.platform !== "linux")("askbox open", () => {
  it("opens a link in the browser that logs it in, and shows it to nobody else", async () => {
    await home.serve();
    const { env, link } = await fakeOpener(0);
    const { code, stdout, stderr } = await home.run(["open"], { env });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^Opened the inbox in your browser\./);
    const opened = await link();
    expect(opened).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#login=[\w-]{22}$/);
    expect(stdout).not.toContain("login=");
    expect((await logIn(opened)).status).toBe(200);
    expect((await logIn(opened)).status).toBe(410);
  });

  it("prints the link, and how to open it from another machine, if no browser can be opened", async () => {
    await home.serve();
    const { env } = await fakeOpener(3);
    for (const where of [env, { SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" }]) {
      const { code, stdout } = await home.run(["open"], { env: where });
      const [link = ""] = /http:\S+/.exec(stdout) ?? [];
      expect([code, (await logIn(link)).status]).toEqual([0, 200]);
      expect(stdout).toMatch(/ssh -N -L (\d+):127\.0\.0\.1:\1 \S+/);
    }
  });
});

describe("askbox open --print", () => {
  // promise: login-link-printed
  it("prints only the link, whose login survives a restart of the hub in a file that only its owner can read", async () => {
    const { code, stdout } = await home.run(["open", "--print"]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^http:\S+\n$/)]);
    const { status, cookie, secret } = await logIn(stdout.trim());
    expect(status).toBe(200);
    const devices = join(home.path, "devices.json");
    expect((await stat(devices)).mode & 0o777).toBe(0o600);
    const text = await readFile(devices, "utf8");
    for (const half of [secret, cookie.split("=")[1] ?? ""]) expect(text).not.toContain(half);

    await home.run(["hub", "stop"]);
    const next = new URL((await home.run(["open", "--print"])).stdout);
    const seen = await fetch(new URL("/auth/devices", next.origin), { headers: { cookie, authorization: `Bearer ${secret}` } });
    expect([next.origin, seen.status]).toEqual([new URL(stdout).origin, 200]);
    expect((await fetch(new URL("/auth/devices", next.origin), { headers: { cookie } })).status).toBe(401);
  });

  it("serves the page that the link opens", async () => {
    await home.serve();
    const { stdout } = await home.run(["open", "--print"]);
    const page = await fetch(new URL("/", stdout.trim()), { headers: { accept: "text/html" } });
    expect([page.status, page.headers.get("content-security-policy")]).toEqual([200, expect.stringContaining("script-src 'self'")]);
    const [, script = ""] = /<script[^>]+src="([^"]+)"/.exec(await page.text()) ?? [];
    const sent = await fetch(new URL(script, stdout.trim()), { headers: { "accept-encoding": "br" } });
    expect([sent.status, sent.headers.get("content-encoding")]).toEqual([200, "br"]);
  });

  // promise: agent-shell-refused, answer-is-a-persons
  it("is rejected in an agent's shell, since anyone with the link can answer", async () => {
    await home.serve();
    for (const args of [["open", "--print"], ["open", "--qr"], ["open"]]) {
      const { code, stdout, stderr } = await home.run(args, { env: { CLAUDECODE: "1" } });
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toContain("agents must not answer questions");
    }
  });
});

describe("askbox open --qr", () => {
  it("explains how to make a hub on loopback reachable, and draws no useless code", async () => {
    await home.serve();
    const { code, stdout, stderr } = await home.run(["open", "--qr"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr.split("\n")[0]).toMatch(/^No code: .*this machine only.* hosts in config\.json or ASKBOX_HOSTS/);
    for (const way of ["tailscale serve", "TLS host", "ssh -N -L", "ASKBOX_HOSTS"]) expect(stderr).toContain(way);
    expect(stderr).not.toMatch(/login=|█/);
  });

  it("draws a link with a host name of the hub that a phone can reach", async () => {
    await home.serve({ ASKBOX_HOSTS: "inbox.example" });
    const { code, stdout } = await home.run(["open", "--qr"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/█/);
    expect(stdout).toMatch(/^https:\/\/inbox\.example\/#login=[\w-]{22}$/m);
  });

  it("cannot be combined with --print", async () => {
    expect((await home.run(["open", "--qr", "--print"])).code).toBe(2);
  });
});

describe("askbox open --phone", () => {
  it("says that a phone needs an address, how to give the hub one, and what works without", async () => {
    await home.serve();
    const { code, stdout, stderr } = await home.run(["open", "--phone"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^missing {2}An address that a phone can reach/);
    expect(stdout).toContain("ntfy needs neither an address of yours nor HTTPS");
    expect(stdout).toContain("Nor does a chat: `askbox chat telegram`");
    expect(stderr).toContain("tailscale serve");
    expect(stdout + stderr).not.toMatch(/login=|█/);
  });

  it("shows the code, what works and what to check, and the steps on the phone", async () => {
    await home.serve({ ASKBOX_HOSTS: "inbox.invalid" });
    const { code, stdout } = await home.run(["open", "--phone"]);
    expect(code).toBe(0);
    expect(stdout.split("\n").slice(0, 3)).toEqual([
      "ok       An address for other machines: https://inbox.invalid",
      expect.stringMatching(/^check {4}From this machine, the hub doesn't answer there \((ENOTFOUND|EAI_AGAIN)\)\./),
      "ok       HTTPS: the phone can get push notifications, and answer from them.",
    ]);
    expect(stdout).toMatch(/█/);
    expect(stdout).toContain("Share, Add to Home Screen");
  });
});
