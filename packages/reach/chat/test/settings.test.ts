import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { changeDesk, readChatSettings } from "../src/index.ts";

function stored(desk: object) {
  const folder = mkdtempSync(join(tmpdir(), "askbox-chat-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "chat.json");
  const common = { secrets: { token: "1" }, bot: { id: "1", name: "bot" }, after: 20 };
  writeFileSync(file, JSON.stringify({ telegram: { ...common, ...desk } }), { mode: 0o600 });
  return file;
}
const people = ["ada", "grace", "lin"].map((id) => ({ id, name: id }));

// promise: chat-rights-by-place
test("what an earlier askbox stored gives nobody a right that they were not given", () => {
  const file = stored({
    people,
    places: [
      { chat: "-1", title: "Team", allow: true },
      { chat: "-2", allow: false },
      { chat: "1", person: "ada", allow: true },
      { chat: "2", person: "grace", allow: false },
    ],
  });
  // Lin was paired in one of two groups, only one of which could allow.
  const members = (...allowing: string[]) => people.map(({ id }) => ({ person: id, allow: allowing.includes(id) }));
  expect(readChatSettings(file).telegram).toMatchObject({
    people,
    places: [
      { chat: "-1", title: "Team", members: members("ada") },
      { chat: "-2", title: "A group", members: members() },
      { chat: "1", members: [{ person: "ada", allow: true }] },
      { chat: "2", members: [{ person: "grace", allow: false }] },
    ],
  });
});

test("who was only in groups that could allow keeps that", () => {
  const file = stored({ people, places: [{ chat: "-1", title: "Team", allow: true }] });
  expect(readChatSettings(file).telegram?.places[0]?.members.every(({ allow }) => allow)).toBe(true);
});

// promise: chat-removed-stays-out
test("of changes at the same moment, none is lost", async () => {
  const file = stored({ people: [], places: [] });
  const add = (id: string) => changeDesk(file, "telegram", (desk) => desk && { ...desk, people: [...desk.people, { id, name: id }] });
  const ids = Array.from({ length: 30 }, (_, index) => `p${index}`);
  await Promise.all(ids.map(add));
  expect(
    readChatSettings(file)
      .telegram?.people.map(({ id }) => id)
      .sort(),
  ).toEqual(ids.sort());
});

test("a change that changes nothing writes nothing", async () => {
  const file = stored({ people: [], places: [] });
  const before = readFileSync(file, "utf8");
  await changeDesk(file, "telegram", (desk) => desk);
  expect(readFileSync(file, "utf8")).toBe(before);
});
