import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { type Home, openHome } from "./support/home.ts";

let there: Home;
let here: Home;
let url: string;
/** Flags for the other hub, as a person or as an asker. */
let asDesk: string[];
let asAsker: string[];

beforeEach(async () => {
  [there, here] = await Promise.all([openHome(), openHome()]);
  await there.serve();
  const read = async (file: string) => JSON.parse(await readFile(join(there.path, file), "utf8"));
  url = (await read("hub.json")).url;
  await writeFile(join(here.path, "desk"), `${(await read("desk.json")).deskToken}\n`);
  await writeFile(join(here.path, "asker"), (await read("hub.json")).askerToken);
  asDesk = ["--hub", url, "--token-file", join(here.path, "desk")];
  asAsker = ["--hub", url, "--token-file", join(here.path, "asker")];
});
afterEach(async () => {
  await here.close();
  await there.close();
});

test("every command works with a remote hub, and none is started here", async () => {
  const asked = here.start(["ask", "Go?", "--type", "confirm", ...asAsker]);
  const [, id = ""] = await asked.says(/Asked as (\w{8})/);
  expect(JSON.parse((await here.run(["list", "--json", ...asDesk])).stdout)).toHaveLength(1);
  expect((await here.run([...asDesk])).stdout).toContain("Go?");
  expect((await here.run([...asDesk, "show", id])).stdout).toContain("the agent is waiting");
  expect((await here.run(["extend", id, "15m", ...asDesk])).code).toBe(0);
  expect((await here.run(["answer", id, "yes", ...asDesk])).code).toBe(0);
  expect(await asked.done).toMatchObject({ code: 0, stdout: "yes\n" });
  const whole = JSON.parse((await here.run(["show", id, "--json", ...asDesk])).stdout).id;
  expect(await here.run(["wait", whole, ...asAsker])).toMatchObject({ code: 0, stdout: "yes\n" });
  expect(await here.run(["wait", id, ...asAsker])).toMatchObject({ code: 1, stderr: expect.stringContaining("use the full id") });
  expect((await here.run(["doctor", ...asDesk])).stdout).toContain(`at ${url}`);
  expect((await here.run(["__complete", "--", ...asDesk, "show", ""])).stdout).toBe("");
  const agents = { ASKBOX_HUB: url, ASKBOX_TOKEN: (await readFile(join(here.path, "asker"), "utf8")).trim() };
  expect(await here.run(["list"], { env: agents })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`ASKBOX_TOKEN holds a token that may ask but not see or answer questions (${url}); unset it`),
  });
  const env = { ASKBOX_HUB: url, ASKBOX_TOKEN: (await readFile(join(here.path, "desk"), "utf8")).trim() };
  expect(JSON.parse((await here.run(["hub", "status", "--json"], { env })).stdout)).toMatchObject({ url, foreground: true });
  expect((await here.run(["hub", "stop", ...asDesk])).stdout).toContain(`Stopped the hub at ${url}`);
  expect((await here.run(["hub", "status"])).code).toBe(5);
});

test("connection problems are reported in one sentence", async () => {
  const port = async (body: string) => {
    const server = createServer((_request, response) => response.end(body));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.close();
    });
    return (server.address() as AddressInfo).port;
  };
  await writeFile(join(here.path, "wrong"), "abx_wrong");
  const wrong = ["--token-file", join(here.path, "wrong")];
  const other = `http://127.0.0.1:${await port("<html>")}`;
  for (const [args, code, sentence] of [
    [["list", "--hub", url, ...wrong], 1, `The hub at ${url} does not know this token; correct --token-file or ASKBOX_TOKEN.`],
    [["list", ...asAsker], 1, `This token may ask but not see or answer questions at the hub at ${url}; give one of the other kind.`],
    [["ask", "Q?", ...asDesk], 1, `This token may answer but not ask at the hub at ${url}; give one of the other kind.`],
    [["list", "--hub", url], 1, `The hub at ${url} needs a token; give it in ASKBOX_TOKEN or in a file with --token-file.`],
    [["list", "--hub", url, "--token-file", "/nowhere"], 1, "The token file /nowhere cannot be read; correct --token-file."],
    [
      ["list", "--hub", "http://127.0.0.1:9", ...wrong],
      5,
      "No askbox hub answers at http://127.0.0.1:9; start it, or correct the address.",
    ],
    [
      ["list", "--hub", "box.example", ...wrong],
      5,
      '"box.example" is not a valid hub address; use one such as http://127.0.0.1:4141 or unix:/run/askbox/hub.sock.',
    ],
    [["list", "--hub", other, ...wrong], 5, `The server at ${other} is not an askbox hub; correct the address.`],
    [
      ["list", "--hub", url.replace("http", "https"), ...wrong],
      5,
      `The hub at ${url.replace("http", "https")} does not speak https; write ${url}.`,
    ],
  ] as const) {
    expect(await here.run(args)).toEqual({ code, stdout: "", stderr: `${sentence}\n` });
  }
});
