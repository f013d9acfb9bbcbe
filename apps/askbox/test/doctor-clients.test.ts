import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listClients } from "../src/doctor/check-surroundings.ts";

test("doctor says how long the clients of this machine wait, and names no other", async () => {
  const home = mkdtempSync(join(tmpdir(), "askbox-doctor-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const messages = async () => (await listClients({ env: { HOME: home, USERPROFILE: home, PATH: "" } })).map(({ message }) => message);
  expect(await messages()).toEqual(["None of the clients that askbox knows seems to be installed here."]);
  mkdirSync(join(home, ".codex"));
  mkdirSync(join(home, ".cursor"));
  expect(await messages()).toEqual([
    expect.stringMatching(/^codex-mcp-client [\d.]+ times out after 300 s/),
    "The limit of Cursor is not known: a call gets a ticket after 50 s.",
  ]);
});
