import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { phoneReport } from "../src/text/phone-guide.ts";

async function serverThatAnswers(status: number): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status).end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const reportFor = (...outside: string[]) => phoneReport({ link: "", port: "4141", outside });

test("a hub on loopback has no address for a phone", async () => {
  expect(await reportFor()).toEqual({ link: undefined, lines: [expect.stringMatching(/^missing {2}An address/)] });
});

test("an address without HTTPS shows the page, but gets no pushes", async () => {
  const link = `${await serverThatAnswers(200)}/#login=abc`;
  const { lines } = await reportFor(link);
  expect(lines).toEqual([
    `ok       An address for other machines: ${new URL(link).origin}`,
    "ok       The hub answers there.",
    expect.stringMatching(/^missing {2}HTTPS: .*--tls-cert/),
  ]);
  expect(lines.join("")).not.toContain("login=");
});

test("an address at which the hub doesn't answer is to be checked, and one with HTTPS is preferred", async () => {
  expect((await reportFor(`${await serverThatAnswers(502)}/#login=abc`)).lines[1]).toMatch(/^check {4}.*\(HTTP 502\)/);
  const { link, lines } = await reportFor("http://127.0.0.1:9/#login=abc", "https://127.0.0.1:9/#login=abc");
  expect(link).toBe("https://127.0.0.1:9/#login=abc");
  expect(lines[1]).toMatch(/^check {4}/);
  expect(lines[2]).toMatch(/^ok {7}HTTPS/);
});
