import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { logIn, newCode, start } from "./browsers.ts";
import { startHub } from "./support.ts";

/** What only askbox' own hub has. */
const ofAskbox = /`askbox |"askbox |askbox (?:open|hub|token|config|agents|grants|doctor)\b|\b(?:hub|desk|config)\.json\b|--on-behalf/;

/** What a hub with these options says to those who can't do what they want. */
async function sentences(options: Parameters<typeof start>[0]): Promise<string[]> {
  const hub = await start(options);
  const { headers } = await logIn(hub);
  const code = await newCode(hub);
  const logInWith = (given: string) => hub.call("POST", "/auth/login", { body: { code: given, device: "Firefox" } });
  await logInWith(code);
  const late = await newCode(hub);
  const wrong = { authorization: "Bearer wrong" };
  const answers = [
    await hub.call("GET", "/healthz", { headers: { host: "elsewhere.example" } }),
    await hub.call("GET", "/api/sessions", { headers: wrong }),
    await logInWith(code),
    await logInWith("invented"),
    await hub.call("POST", "/auth/codes", { headers }),
    await hub.call("POST", "/api/tokens", { headers, body: { name: "ci", scopes: ["asker"] } }),
    await hub.call("DELETE", "/api/tokens/nobody", { as: "desk" }),
    await hub.call("DELETE", "/api/grants/none", { as: "desk" }),
    await hub.call("POST", "/api/sessions/none/cancel", { as: "desk", body: { by: { name: "Ada" } } }),
  ];
  await hub.clock.advance(600_001);
  answers.push(await logInWith(late));
  expect(answers.map(({ status }) => status)).toEqual([403, 401, 410, 401, 403, 403, 404, 404, 403, 410]);
  const page = await fetch(hub.url);
  return [...answers.map(({ body }) => body.detail as string), await page.text()];
}

// promise: embedded-own-words
test("a hub that is part of another program names none of askbox' own commands and files", async () => {
  for (const sentence of await sentences({})) expect(sentence).not.toMatch(ofAskbox);
  const hub = await startHub();
  expect(() => hub.hub.createLogin()).toThrow("This hub has no web inbox; answer over the API.");
});

test("a hub ends its sentences by its program's own terms", async () => {
  const advice = { login: "open it from Example's menu", token: "see Example's settings", grants: undefined } as const;
  const said = await sentences({ advice });
  expect(said.filter((sentence) => sentence.endsWith("; open it from Example's menu."))).toHaveLength(4);
  expect(said).toContain("This hub does not know the token; see Example's settings.");
  expect(said.join("\n")).not.toContain("undefined");
});

test("no sentence of the packages that others embed names them either", () => {
  const packages = fileURLToPath(new URL("../..", import.meta.url));
  const found: string[] = [];
  for (const folder of ["core/src", "wire/src/handler", "wire/src/protocol", "hub/src"]) {
    for (const entry of readdirSync(join(packages, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const lines = readFileSync(join(entry.parentPath, entry.name), "utf8").split("\n");
      for (const line of lines) if (!/^\s*(?:\*|\/\*|\/\/)/.test(line) && ofAskbox.test(line)) found.push(line.trim());
    }
  }
  // The option with which askbox' own hub asks for its own page, and what a browser signs.
  const own = /"askbox open"|askbox login: /;
  expect(found.filter((line) => !own.test(line))).toEqual([]);
});
