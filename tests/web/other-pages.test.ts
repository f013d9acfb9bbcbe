import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { logInByHttp } from "./support/http-login.ts";
import { webSuite } from "./support/suite.ts";

const { hub, enter } = webSuite();
let stranger: Server;
/** What another program on this machine receives with requests for its own page. */
const cookiesSeen: string[] = [];

beforeAll(async () => {
  stranger = createServer((request, response) => {
    cookiesSeen.push(request.headers.cookie ?? "");
    response.setHeader("content-type", "text/html").end("<title>Another program's page</title>");
  });
  await new Promise<void>((listening) => stranger.listen(0, "127.0.0.1", listening));
});
afterAll(async () => {
  stranger.closeAllConnections();
  stranger.close();
});

describe("a page on another port of this machine, in a browser that is logged in", () => {
  // promise: cookie-alone-worthless, foreign-page-refused
  test("receives the cookie from the browser, but can do nothing with it", async () => {
    const { context, page } = await enter();
    await page.getByRole("heading", { name: "Inbox" }).first().waitFor({ state: "attached" });
    const id = await hub().ask({ questions: [{ id: "q", question: "May a stranger answer?" }] });
    const other = await context.newPage();
    await other.goto(`http://127.0.0.1:${(stranger.address() as AddressInfo).port}/`);
    // Browsers send cookies to every port: this is why the cookie alone is worthless.
    expect(cookiesSeen[0]).toMatch(/askbox_\d+=abx_/);

    const tried = await other.evaluate(
      async ({ url, id }) => {
        const outcome = async (attempt: Promise<Response>) =>
          attempt.then(
            ({ type, status }) => `${type} ${status}`,
            () => "refused",
          );
        const post = { method: "POST", credentials: "include", mode: "no-cors" } as const;
        return {
          list: await outcome(fetch(`${url}/api/sessions`, { credentials: "include" })),
          shell: await outcome(fetch(url, { credentials: "include" })),
          // Sent without a preflight, like forms; below, they are shown to have had no effect.
          sent: await Promise.all([
            outcome(fetch(`${url}/auth/logout`, post)),
            outcome(fetch(`${url}/api/sessions/${id}/cancel`, { ...post, body: "{}" })),
            outcome(fetch(`${url}/api/sessions/${id}/answer`, { ...post, body: '{"answers":[{"questionId":"q","values":["yes"]}]}' })),
          ]),
          wire: await new Promise((resolve) => {
            const socket = new WebSocket(`${url.replace("http", "ws")}/ws`);
            socket.onmessage = ({ data }) => resolve(data);
            socket.onclose = () => resolve("closed without a word");
          }),
        };
      },
      { url: hub().url, id },
    );
    expect(tried).toMatchObject({ list: "refused", shell: "refused", wire: expect.stringContaining('"FORBIDDEN"') });
    expect(tried.sent).toEqual(["refused", "refused", "refused"]);
    expect((await hub().view(id)).status).toBe("pending");

    // The login is still valid.
    await page.reload();
    await page.getByText("May a stranger answer?").first().waitFor();

    // Until it is logged out from elsewhere.
    const { status, headers, list } = await logInByHttp(hub().url, hub().loginUrl());
    expect(status).toBe(200);
    const device = (await list()).find(({ current }) => !current);
    const gone = await fetch(`${hub().url}/auth/devices/${device?.id}`, { method: "DELETE", headers });
    expect(gone.status).toBe(204);
    await page.getByText("This browser is no longer logged in").waitFor();
  });
});
