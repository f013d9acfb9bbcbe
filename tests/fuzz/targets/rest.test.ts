import { createHub, hashToken, tokenVerifier } from "@askbox/hub";
import fc from "fast-check";
import { fuzz } from "../engine/fuzz.ts";
import { assertAnswer, exchange } from "../engine/http.ts";
import { mutated, place } from "../engine/mutated.ts";
import { oddText, writeOut } from "../engine/odd.ts";
import { fault } from "../engine/oracle.ts";
import { answerSet, ask, otherAsks } from "../engine/samples.ts";
import { openWorld } from "../engine/world.ts";

const id = "@@session@@";
const requests: readonly [method: string, path: string, body?: unknown][] = [
  ["POST", "/api/sessions", { ...ask, key: "k", agentId: "a", project: "/srv" }],
  ...otherAsks.map((body): [string, string, unknown] => ["POST", "/api/sessions", body]),
  ["GET", "/api/sessions?status=pending,answered&q=x&limit=5&cursor=1_a&order=oldest&project=/srv&agentId=a"],
  ["GET", `/api/sessions/${id}?wait=0`],
  ["POST", `/api/sessions/${id}/answer`, { ...answerSet, delay: 100 }],
  ["POST", `/api/sessions/${id}/reply`, answerSet],
  ["POST", `/api/sessions/${id}/ask-back`, { questionId: "q_text", text: "Why?" }],
  ["POST", `/api/sessions/${id}/reply-back`, { text: "So." }],
  ["POST", "/api/sessions", { ...ask, replaces: id }],
  ["POST", `/api/sessions/${id}/cancel`, { reason: "no" }],
  ["POST", `/api/sessions/${id}/extend`, { timeout: 60_000 }],
  ["POST", `/api/sessions/${id}/recall`, {}],
  ["GET", `/api/sessions/${id}/draft`],
  ["PATCH", `/api/sessions/${id}/draft`, { fields: { q_text: { values: ["x"] } }, comment: "c" }],
  ["POST", "/api/tokens", { name: "ci", scope: "asker", expiresIn: 60_000, agentId: "a" }],
  ["DELETE", "/api/tokens/ci"],
  ["POST", "/api/agents", { id: "builder", name: "B", resume: "x" }],
  ["DELETE", "/api/agents/builder"],
  ["POST", "/auth/login", { code: "abc", device: "Firefox" }],
  ["DELETE", "/auth/devices/x"],
  ["GET", "/healthz?nonce=abc"],
  ["GET", "/readyz"],
];

/** The possible characters of a header; a line break starts another header. */
const header = fc.tuple(
  fc.constantFrom(
    "content-type",
    "content-length",
    "accept",
    "cookie",
    "origin",
    "host",
    "user-agent",
    "transfer-encoding",
    "x-forwarded-for",
    "if-none-match",
    "range",
    "expect",
  ),
  fc.oneof(
    oddText,
    fc.constantFrom(
      "text/plain; charset=utf-16",
      "-1",
      "999999999999",
      "0",
      "chunked",
      "null",
      "http://evil.example",
      "abx_device=x; abx_device=y",
      "100-continue",
    ),
  ),
);
const damage = fc.oneof({ weight: 4, arbitrary: fc.constant("") }, { weight: 1, arbitrary: oddText });
const request = fc.constantFrom(...requests).chain(([method, path, body]) =>
  fc.record({
    method: fc.oneof(
      { weight: 12, arbitrary: fc.constant(method) },
      { weight: 1, arbitrary: fc.constantFrom("PUT", "HEAD", "OPTIONS", "TRACE", "get", "\u0000", "PRI") },
    ),
    path: fc.tuple(fc.constant(path), damage, place).map(([text, put, place]) => {
      const at = 1 + Math.floor(place * text.length);
      return text.slice(0, at) + (put === "" ? "" : encodeOdd(put)) + text.slice(at);
    }),
    token: fc.oneof({ weight: 8, arbitrary: fc.constantFrom("asker", "desk") }, { weight: 1, arbitrary: oddText }),
    headers: fc.array(header, { maxLength: 2 }),
    body: body === undefined ? damage : mutated([body]),
    encoding: fc.constantFrom("utf8", "utf8", "utf8", "utf8", "utf16le", "latin1"),
  }),
);

/** Half of them encoded as in a URL, half unchanged; a lone surrogate has no encoding. */
const encodeOdd = (text: string) =>
  text.length % 2 === 0 && text.isWellFormed() ? encodeURIComponent(text) : text.replace(/[ \r\n]/g, "+");

/** Anything that may arrive at the hub's HTTP interface, byte by byte. */
fuzz({
  name: "rest",
  input: fc.array(request, { minLength: 1, maxLength: 3 }),
  runs: 60,
  open: () => ({
    async take(sent) {
      const world = await openWorld({ isAskedBack: sent.length === 2 });
      const { broker, platform, log } = world;
      const hub = createHub({
        broker,
        platform,
        log,
        version: "1.0.0",
        instance: "one",
        tokens: tokenVerifier([
          { hash: hashToken("asker"), access: { owner: "one", scopes: ["asker"] } },
          { hash: hashToken("desk"), access: { owner: "desk", scopes: ["desk"] } },
        ]),
        control: { status: async () => ({}), stop: async () => {} },
      });
      const url = new URL(await hub.listen());
      try {
        for (const one of sent) {
          const body = Buffer.from(writeOut(one.body).replaceAll(id, world.session), one.encoding as BufferEncoding);
          const lines = [
            `${one.method} ${writeOut(one.path).replaceAll(id, world.session)} HTTP/1.1`,
            ...["host", "content-length"].flatMap((name) => {
              if (one.headers.some(([header]) => header === name)) return [];
              return name === "host" ? `host: ${url.host}` : `content-length: ${body.length}`;
            }),
            `authorization: Bearer ${writeOut(one.token)}`,
            "connection: close",
            ...one.headers.map(([name, value]) => `${name}: ${writeOut(value)}`),
          ];
          const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`);
          assertAnswer(await exchange(Number(url.port), Buffer.concat([head, body])), one.path);
        }
        const health = await fetch(new URL("/healthz", url));
        if (health.status !== 200) fault("The hub is not well.");
        await health.text();
        const headers = { authorization: "Bearer desk" };
        const listed = await fetch(new URL("/api/sessions", url), { headers });
        if (listed.status !== 200) fault(`A valid list is answered ${listed.status}: ${await listed.text()}`);
        await listed.text();
        await world.assertServes();
      } finally {
        await hub.close();
        await world.close();
      }
    },
  }),
});
