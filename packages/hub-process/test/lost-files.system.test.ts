import { rmSync } from "node:fs";
import { parseAsk } from "@askbox/core";
import { anAsker, resumed, seededIds } from "@askbox/core/testing";
import { homeFiles, readDeskFile, readHubFile } from "@askbox/home";
import { expect, it } from "vitest";
import { connect, serveHere, temporaryHome } from "./support.ts";

const answers = [{ questionId: "q", values: ["go on"] }];

it("a hub whose tokens were lost between two runs creates new ones; clients continue, and the old tokens are invalid", async () => {
  const home = temporaryHome();
  const files = homeFiles(home.folders);
  const first = await serveHere(home, { store: "sqlite" });
  const old = { ...readHubFile(home.folders), ...readDeskFile(home.folders) };
  const { asker } = await connect(home);
  const { desk } = await connect(home, { role: "desk" });
  const request = parseAsk({ questions: [{ id: "q", question: "What now?" }] }, { ids: seededIds() });
  const { session } = await asker.ask(request, { asker: anAsker(), maxWait: 0 });
  const waiting = resumed(asker, session.id);

  await first.close("The next one is started.");
  for (const file of [files.hub, files.lastHub, files.desk, files.told]) rmSync(file, { force: true });
  await serveHere(home, { store: "sqlite" });
  const { url = "", askerToken } = readHubFile(home.folders) ?? {};
  expect([askerToken === old.askerToken, readDeskFile(home.folders)?.deskToken === old.deskToken]).toEqual([false, false]);
  for (const token of [old.askerToken, old.deskToken]) {
    const answer = await fetch(new URL("/api/sessions", url), { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(401);
  }
  await desk.answer(session.id, { answers });
  expect((await waiting).context.outcome).toMatchObject({ kind: "answered", answers });
});
