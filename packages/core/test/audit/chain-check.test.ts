import { createHash } from "node:crypto";
import { type AuditEntry, type AuditEvent, ChainCheck, sealEntry } from "@askbox/core/audit";
import { anAsker, anOutcome } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";

const digest = async (text: string) => createHash("sha256").update(text).digest("hex");

const anEvent = (at: number): AuditEvent => ({
  at,
  event: "decided",
  session: `session-${at}`,
  asker: anAsker(),
  questions: [],
  outcome: anOutcome({ comment: 'a "quoted" word,"hash":"' }),
});

async function entries(count: number): Promise<AuditEntry[]> {
  const made: AuditEntry[] = [];
  for (let at = 1; at <= count; at += 1) made.push(await sealEntry(anEvent(at), made.at(-1), digest));
  return made;
}
const lines = async (count: number) => (await entries(count)).map(({ line }) => line);

/** The first problem. */
async function problemOf(checked: readonly string[]): Promise<string | undefined> {
  const check = new ChainCheck(digest);
  for (const line of checked) {
    const problem = await check.add(line);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

describe("an audit entry", () => {
  test("is one line whose hash covers everything but the hash itself", async () => {
    const [entry] = await entries(1);
    const { line, hash } = entry as AuditEntry;
    expect(line).not.toContain("\n");
    expect(JSON.parse(line)).toEqual({ number: 1, ...anEvent(1), previous: "0".repeat(64), hash });
    expect(hash).toBe(await digest(line.replace(`,"hash":"${hash}"`, "")));
  });
});

describe("hidden characters in an audit entry", () => {
  const hidden = "\u009b31m\u202e\u200b\u{e0041} \\u200b";
  const event = { ...anEvent(1), outcome: anOutcome({ comment: hidden }) };

  test("are escaped, and the hash covers the line as it is printed", async () => {
    const { line, hash } = await sealEntry(event, undefined, digest);
    expect(line).not.toMatch(/[\u007f-\u009f\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/u);
    expect(JSON.parse(line)).toMatchObject({ outcome: { comment: hidden } });
    expect(hash).toBe(await digest(line.replace(`,"hash":"${hash}"`, "")));
    expect(await problemOf([line])).toBeUndefined();
  });

  test("of an older record are still intact when its export escapes them, and not if they are changed", async () => {
    const text = JSON.stringify({ number: 1, ...event, previous: "0".repeat(64) });
    const line = `${text.slice(0, -1)},"hash":"${await digest(text)}"}`;
    expect(await problemOf([line])).toBeUndefined();
    const exported = line.replace(/[\u007f-\u009f\u200b\u202e\u{e0041}]/gu, (found) =>
      found.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
    );
    expect(exported).not.toBe(line);
    expect(await problemOf([exported])).toBeUndefined();
    expect(await problemOf([exported.replace("\\u202e", "\\u202d")])).toContain("was changed");
  });
});

describe("checking an audit log", () => {
  test("finds nothing wrong with a complete one, and reports its first and last entry", async () => {
    const all = await entries(4);
    const check = new ChainCheck(digest);
    for (const { line } of all) expect(await check.add(line)).toBeUndefined();
    expect([check.first?.number, check.last?.hash]).toEqual([1, all[3]?.hash]);
  });

  test("accepts the first line as it is, since earlier entries may have expired", async () => {
    expect(await problemOf((await lines(4)).slice(2))).toBeUndefined();
  });

  test("detects any changed character", async () => {
    const [one = "", two = "", three = ""] = await lines(3);
    for (let place = 0; place < two.length; place += 1) {
      const changed = `${two.slice(0, place)}${two[place] === "1" ? "2" : "1"}${two.slice(place + 1)}`;
      expect(await problemOf([one, changed, three])).toMatch(/^(Line [23]|Before line 2)[ ,]/);
    }
  });

  test("reports which line was changed", async () => {
    const [one = "", two = "", three = ""] = await lines(3);
    expect(await problemOf([one, two.replace("session-2", "session-9"), three])).toBe(
      "Line 2, entry 2, was changed: its hash doesn't match it.",
    );
    expect(await problemOf([one, ` ${two}`])).toBe("Line 2, entry 2, was changed: its hash doesn't match it.");
    for (const no of ["", "null", "[]", "{", "{}", '{"number":1.5}', "[".repeat(100_000)]) {
      expect(await problemOf([one, no])).toBe("Line 2 isn't an entry of the record.");
    }
  });

  test("reports where lines are missing, duplicated or out of order", async () => {
    const [one = "", two = "", three = "", four = ""] = await lines(4);
    expect(await problemOf([one, three])).toBe("Before line 2, an entry is missing: entry 3 comes after entry 1.");
    expect(await problemOf([one, four])).toBe("Before line 2, 2 entries are missing: entry 4 comes after entry 1.");
    expect(await problemOf([one, two, two])).toBe("Line 3 is out of order: entry 2 comes after entry 2.");
    expect(await problemOf([two, one])).toBe("Line 2 is out of order: entry 1 comes after entry 2.");
  });

  test("detects a line that was hashed again with other content", async () => {
    const [one, , three] = await entries(3);
    const forged = await sealEntry({ ...anEvent(2), session: "another" }, one, digest);
    expect(await problemOf([one?.line ?? "", forged.line, three?.line ?? ""])).toBe(
      "Line 3, entry 3, doesn't continue the chain: it or the entry before it was replaced.",
    );
    const first = await sealEntry(anEvent(1), { ...(three as AuditEntry), number: 0 }, digest);
    expect(await problemOf([first.line])).toContain("Line 1, entry 1, doesn't continue the chain");
  });
});
