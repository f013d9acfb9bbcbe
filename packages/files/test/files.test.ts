import { createHash, createHmac } from "node:crypto";
import { memoryStore, type SessionStore } from "@askbox/core";
import type { AnswerFile } from "@askbox/core/questions";
import { describe, expect, it } from "vitest";
import { memoryBlobs } from "../src/index.ts";
import { type As, attach, blobs, png, raw, type Sent, sha256 } from "./raw-requests.ts";
import { answers, askOne, logIn, startHub, type TestHub } from "./support.ts";

const withFiles = (options: Parameters<typeof startHub>[0] = {}) => startHub({ blobs: blobs(), ...options });

const answer = (hub: TestHub, id: string, files: object[], as: As = "desk") =>
  hub.call("POST", `/api/sessions/${id}/answer`, { as, body: { answers: [{ ...answers[0], files }, answers[1]] } });

const askBack = (hub: TestHub, id: string, message: object) =>
  hub.call("POST", `/api/sessions/${id}/ask-back`, { as: "desk", body: message });

describe("a file of an answer", () => {
  it("goes from the person to the agent, with the type of its bytes and a clean name", async () => {
    const hub = await withFiles();
    const id = await askOne(hub);
    const uploaded = await raw(hub, "PUT", `session=${id}`, { as: "desk", body: png });
    expect([uploaded.status, uploaded.body]).toEqual([201, { sha256: sha256(png), size: 16, mimeType: "image/png" }]);
    const claimed = { sha256: sha256(png), name: "../../\u202Egnp.exe\u0007", mimeType: "text/html", size: 1, caption: " Here " };
    expect((await answer(hub, id, [claimed])).status).toBe(200);
    const { body } = await hub.call("GET", `/api/sessions/${id}`, { as: "asker" });
    const file = { name: "gnp.exe", mimeType: "image/png", size: 16, sha256: sha256(png), caption: "Here" };
    expect(body.answers[0].files).toEqual([file]);
    expect(body.answers[1].files).toBeUndefined();
    const read = await raw(hub, "GET", `session=${id}&id=${file.sha256}&name=gnp.exe`, { as: "asker" });
    expect([read.status, read.bytes]).toEqual([200, png]);
    expect(Object.fromEntries(read.headers)).toMatchObject({
      "content-type": "image/png",
      "content-disposition": `attachment; filename="gnp.exe"; filename*=UTF-8''gnp.exe`,
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    });
  });

  it("can be stored by the hub itself, within the same limits", async () => {
    const hub = await withFiles({ fileLimits: { file: 20, session: 20 } });
    const id = await askOne(hub);
    const by = { surface: "telegram", name: "Ada" };
    const put = (upload: string, bytes: Uint8Array<ArrayBuffer>, sessionId = id) =>
      hub.settled(hub.files?.put({ sessionId, upload, bytes }, by) ?? expect.fail("It stores no files."));
    const kept = { sha256: sha256(png), size: 16, mimeType: "image/png" };
    expect(await put("upload-1", Uint8Array.from(png))).toEqual(kept);
    // As after a lost acknowledgement.
    expect(await put("upload-1", Uint8Array.from(png))).toEqual(kept);
    await expect(put("upload-2", new Uint8Array(21))).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    await expect(put("upload-3", new Uint8Array(5))).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    expect((await answer(hub, id, [{ ...kept, name: "a.png" }])).status).toBe(200);
    await expect(put("upload-4", new Uint8Array(1))).rejects.toMatchObject({ code: "SESSION_CLOSED" });
  });

  it("may be all there is to a required text", async () => {
    const hub = await withFiles();
    const id = await askOne(hub);
    const file = { ...(await attach(hub, id)), name: "a.png" };
    const only = { questionId: "name", values: [], files: [file] };
    const sent = await hub.call("POST", `/api/sessions/${id}/answer`, { as: "desk", body: { answers: [only, answers[1]] } });
    expect(sent.status).toBe(200);
    const without = await askOne(hub, { questions: [{ question: "Which?", type: "select", options: ["a"], id: "base" }] });
    const same = { ...(await attach(hub, without)), name: "a.png" };
    const body = { answers: [{ questionId: "base", values: [], files: [same] }] };
    expect((await hub.call("POST", `/api/sessions/${without}/answer`, { as: "desk", body })).status).toBe(422);
  });

  it("is refused if it is not stored with these questions, and where there are no files", async () => {
    const hub = await withFiles();
    const [id, other] = [await askOne(hub), await askOne(hub, { questions: [{ question: "Another?" }] })];
    const file = { ...(await attach(hub, other)), name: "a.png" };
    for (const sha of [file.sha256, "0".repeat(64), "../../etc/passwd", ""]) {
      const refused = await answer(hub, id, [{ ...file, sha256: sha }]);
      expect([refused.status, refused.body.detail]).toEqual([422, 'The file "a.png" is not stored here (any more); attach it again.']);
    }
    expect((await hub.call("GET", `/api/sessions/${id}`, { as: "desk" })).body.status).toBe("pending");
    const plain = await startHub();
    const refused = await answer(plain, await askOne(plain), [file]);
    expect([refused.status, refused.body.detail]).toEqual([422, "Files cannot be attached here."]);
    expect((await raw(plain, "GET", "session=x&id=y", { as: "desk" })).status).toBe(404);
  });

  it("stays attached when the questions are replaced while it is in a draft", async () => {
    const hub = await withFiles();
    const question = { id: "name", question: "What should it be called?" };
    const id = await askOne(hub, { questions: [question] });
    const file = { ...(await attach(hub, id)), name: "a.png" };
    await hub.call("PATCH", `/api/sessions/${id}/draft`, { as: "desk", body: { fields: { name: { files: [file] } } } });
    const better = await askOne(hub, { questions: [question, { id: "why", question: "Why?", required: false }], replaces: id });
    const { fields } = (await hub.call("GET", `/api/sessions/${better}/draft`, { as: "desk" })).body;
    expect(fields.name.files).toEqual([file]);
    const body = { answers: [{ questionId: "name", values: [], files: fields.name.files }] };
    expect((await hub.call("POST", `/api/sessions/${better}/answer`, { as: "desk", body })).status).toBe(200);
    expect((await raw(hub, "GET", `session=${better}&id=${file.sha256}`, { as: "asker" })).bytes).toEqual(png);
  });
});

describe("an upload", () => {
  it("continues where its connection was lost", async () => {
    const hub = await withFiles();
    const id = await askOne(hub);
    const at = (offset: number) => `session=${id}&upload=shot-0001&size=16&offset=${offset}`;
    expect((await raw(hub, "POST", at(0), { as: "desk", body: png.subarray(0, 5) })).body).toEqual({ upload: "shot-0001", offset: 5 });
    const gap = await raw(hub, "PATCH", at(9), { as: "desk", body: png.subarray(9) });
    expect([gap.status, gap.body.offset]).toEqual([409, 5]);
    expect((await raw(hub, "PATCH", at(3), { as: "desk", body: png.subarray(3) })).body).toMatchObject({ sha256: sha256(png), size: 16 });
  });

  it.each([
    ["a file that is too large", "size=21", "The file has 21 bytes; one may have at most 20 bytes."],
    [
      "more than a session may have",
      "size=20",
      "These questions have files of 16 bytes; with 20 bytes more it would be over the limit of 30 bytes.",
    ],
  ])("refuses %s before it reads it, with the numbers", async (_what, query, sentence) => {
    const hub = await withFiles({ fileLimits: { file: 20, session: 30, total: 100 } });
    const id = await askOne(hub);
    await attach(hub, id);
    let read = 0;
    const body = new ReadableStream<Uint8Array>({ pull: (controller) => (read++ > 0 ? controller.close() : controller.enqueue(png)) });
    const refused = await raw(hub, "POST", `session=${id}&${query}`, { as: "desk", body });
    expect([refused.status, refused.body.detail]).toEqual([413, sentence]);
    expect((await raw(hub, "POST", `session=${id}`, { as: "desk", body: new Uint8Array(10) })).status).toBe(201);
  });

  it("is refused beyond what all sessions may have, also while others are in progress", async () => {
    const hub = await withFiles({ fileLimits: { total: 40 } });
    const ids = await Promise.all(["a?", "b?", "c?"].map((question) => askOne(hub, { questions: [{ question }] })));
    const sent = await Promise.all(
      ids.map((id, index) => raw(hub, "POST", `session=${id}`, { as: "desk", body: Uint8Array.of(...png.subarray(1), index) })),
    );
    expect(sent.map(({ status }) => status).sort()).toEqual([201, 201, 413]);
    const refused = sent.find(({ status }) => status === 413);
    expect(refused?.body.detail).toMatch(
      /^The hub stores files of \d+ bytes; with 16 bytes more it would be over its limit of 40 bytes, limits\.allFileBytes\.$/,
    );
  });

  it("may not have more bytes than it said, whose size nobody can know otherwise", async () => {
    const hub = await withFiles();
    const id = await askOne(hub);
    const many = () => new ReadableStream<Uint8Array>({ start: (c) => [c.enqueue(png), c.enqueue(png), c.close()] });
    expect((await raw(hub, "POST", `session=${id}&size=20`, { as: "desk", body: many() })).status).toBe(400);
    expect((await raw(hub, "POST", `session=${id}`, { as: "desk", body: many() })).body.detail).toContain("Say how large the file is");
    expect((await raw(hub, "POST", `session=${id}&size=3`, { as: "desk", body: png })).status).toBe(400);
  });

  it("is for people only, and for questions that are open", async () => {
    const hub = await withFiles();
    const id = await askOne(hub);
    for (const as of [undefined, "asker", "metrics"] as const) {
      expect((await raw(hub, "POST", `session=${id}`, { ...(as && { as }), body: png })).status).toBe(as === undefined ? 401 : 403);
    }
    expect((await raw(hub, "POST", "session=nothing-here", { as: "desk", body: png })).status).toBe(404);
    await hub.call("POST", `/api/sessions/${id}/answer`, { as: "desk", body: { answers } });
    expect((await raw(hub, "POST", `session=${id}`, { as: "desk", body: png })).status).toBe(409);
  });
});

describe("a stored file", () => {
  it("opens only for its own asker, desks, and pages that are logged in", async () => {
    const hub = await startHub({ blobs: blobs(), web: import.meta.dirname });
    const id = await askOne(hub);
    const { sha256: file } = await attach(hub, id);
    const query = `session=${id}&id=${file}`;
    const browser = await logIn(hub);
    const { cookie = "" } = browser.headers;
    const statusOf = async (sent: Sent) => (await raw(hub, "GET", query, sent)).status;
    expect(await statusOf({ as: "asker" })).toBe(200);
    expect(await statusOf({ as: "desk" })).toBe(200);
    expect(await statusOf({ headers: browser.headers })).toBe(200);
    expect(await statusOf({ as: "otherAsker" })).toBe(404);
    expect(await statusOf({ as: "metrics" })).toBe(403);
    expect(await statusOf({})).toBe(401);
    // A page has only the key of its secret, and proves each request with it.
    const key = createHash("sha256")
      .update(JSON.stringify(["askbox login: key", browser.identity, browser.secret]))
      .digest();
    const proofOf = (method: string, search: string, { at = hub.clock.now(), origin = hub.url } = {}) => {
      const text = JSON.stringify([method, "/api/files", search]);
      const mac = createHmac("sha256", key)
        .update(JSON.stringify(["askbox login: request", browser.identity, origin, browser.id, at, text]))
        .digest("hex");
      return Buffer.from(JSON.stringify([browser.id, origin, at, mac])).toString("base64url");
    };
    const withProof = (proof: string) => statusOf({ headers: { cookie, authorization: `Bearer page.${proof}` } });
    const proof = proofOf("GET", `?${query}`);
    expect(await withProof(proof)).toBe(200);
    expect(await statusOf({ headers: { authorization: `Bearer page.${proof}` } })).toBe(401);
    const others = [
      proofOf("DELETE", `?${query}`),
      proofOf("GET", `?${query}0`),
      proofOf("GET", `?${query}`, { at: hub.clock.now() - 301_000 }),
      proofOf("GET", `?${query}`, { origin: "https://elsewhere.example" }),
      proof.slice(0, -4),
      "x",
    ];
    for (const other of others) expect(await withProof(other)).toBe(401);
    // An address alone shows nothing, even in a browser that is logged in.
    expect(await statusOf({ headers: { cookie } })).toBe(401);
    expect((await raw(hub, "GET", `session=${id}&id=../${file}`, { as: "desk" })).status).toBe(400);
  });

  it.each([
    [
      "a script in a picture",
      "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
      "application/octet-stream",
      "attachment",
    ],
    ["such a picture after a comment and a declaration", "<?xml version='1.0'?><!-- --><svg/>", "application/octet-stream", "attachment"],
    ["a page", "<!doctype html><script>alert(1)</script>", "application/octet-stream", "attachment"],
    ["a picture that is also a script", "GIF89a/*<script>*/=1;", "image/gif", "inline"],
    ["a PDF", "%PDF-1.7\n", "application/pdf", "attachment"],
    ["a text", "plain\n", "text/plain; charset=utf-8", "attachment"],
  ])("is never run: %s", async (_what, content, type, kind) => {
    const hub = await withFiles();
    const id = await askOne(hub);
    const { sha256: file } = await attach(hub, id, Buffer.from(content));
    const { headers } = await raw(hub, "GET", `session=${id}&id=${file}&inline=1&name=x%0d%0aSet-Cookie:a=b.png`, { as: "desk" });
    expect(headers.get("content-type")).toBe(type);
    expect(headers.get("content-disposition")).toMatch(new RegExp(`^${kind}; filename="xSet-Cookie_a=b.png"`));
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toContain("sandbox");
    expect(headers.get("set-cookie")).toBeNull();
  });

  it("can be discarded before the answer, unless a draft names it", async () => {
    const hub = await withFiles();
    const id = await askOne(hub);
    const file = { ...(await attach(hub, id)), name: "a.png" };
    const query = `session=${id}&id=${file.sha256}`;
    await hub.call("PATCH", `/api/sessions/${id}/draft`, { as: "desk", body: { fields: { name: { files: [file] } } } });
    expect((await raw(hub, "DELETE", query, { as: "desk" })).status).toBe(409);
    await hub.call("PATCH", `/api/sessions/${id}/draft`, { as: "desk", body: { fields: { name: null } } });
    expect((await raw(hub, "DELETE", query, { as: "asker" })).status).toBe(403);
    expect((await raw(hub, "DELETE", query, { as: "desk" })).status).toBe(204);
    expect((await raw(hub, "GET", query, { as: "desk" })).status).toBe(404);
    const kept = { ...(await attach(hub, id)), name: "a.png" };
    await answer(hub, id, [kept]);
    expect((await raw(hub, "DELETE", query, { as: "desk" })).status).toBe(409);
  });

  it("is removed with its session, and before that only if nothing names it for a day", async () => {
    const store = memoryStore();
    let now = 0;
    const kept = memoryBlobs({ now: () => now, sha256 });
    const hub = await startHub({ store, blobs: kept });
    const [answered, open] = [await askOne(hub), await askOne(hub, { questions: [{ id: "why", question: "Why?" }] })];
    const asked = { ...(await attach(hub, open, Buffer.from("I see this"))), name: "c.png" };
    expect((await askBack(hub, open, { text: "Is this it?", files: [asked] })).status).toBe(200);
    expect((await raw(hub, "DELETE", `session=${open}&id=${asked.sha256}`, { as: "desk" })).status).toBe(204);
    const said = { ...(await attach(hub, answered, Buffer.from("This is what I mean"))), name: "d.png" };
    const own = { ...answers[0], files: [{ ...(await attach(hub, answered)), name: "a.png" }] };
    const body = { answers: [own, answers[1]], files: [said] };
    expect((await hub.call("POST", `/api/sessions/${answered}/answer`, { as: "desk", body })).status).toBe(200);
    const drafted = { ...(await attach(hub, open)), name: "b.png" };
    const about = { ...(await attach(hub, open, Buffer.from("About all of it"))), name: "e.png" };
    const draft = { fields: { why: { files: [drafted] } }, files: [about] };
    await hub.call("PATCH", `/api/sessions/${open}/draft`, { as: "desk", body: draft });
    await attach(hub, open, Buffer.from("nobody names this"));
    now = hub.clock.now();
    const old = now - 86_400_001;
    for (const file of await kept.list()) {
      now = old;
      await kept.touch(file);
    }
    now = hub.clock.now();
    await attach(hub, open, Buffer.from("just uploaded"));
    await hub.clock.advance(60_000);
    await expect.poll(async () => (await kept.list()).map(({ size }) => size).sort()).toEqual([10, 13, 15, 16, 16, 19]);
    await store.remove({ closedBefore: hub.clock.now() + 1 });
    await expect.poll(async () => (await kept.list(answered)).length).toBe(0);
    expect((await kept.list(open)).length).toBe(4);
  });
});

describe("a file of the comment on all answers", () => {
  it("is in the draft, stays there when the questions are replaced, and comes with the answer", async () => {
    const hub = await withFiles();
    const question = { id: "name", question: "What should it be called?" };
    const id = await askOne(hub, { questions: [question] });
    const file = { ...(await attach(hub, id)), name: "a.png" };
    const patch = (session: string, body: object) => hub.call("PATCH", `/api/sessions/${session}/draft`, { as: "desk", body });
    await patch(id, { comment: "Like this", files: [file] });
    // Whoever changes only the words keeps it.
    expect((await patch(id, { comment: "So" })).body).toMatchObject({ comment: "So", files: [file] });
    expect((await raw(hub, "DELETE", `session=${id}&id=${file.sha256}`, { as: "desk" })).status).toBe(409);
    const better = await askOne(hub, { questions: [question, { id: "why", question: "Why?", required: false }], replaces: id });
    const draft = (await hub.call("GET", `/api/sessions/${better}/draft`, { as: "desk" })).body;
    expect(draft).toMatchObject({ comment: "So", files: [file] });
    const claimed = { ...file, name: "../a.png", mimeType: "text/html", size: 1 };
    const sent = { answers: [{ questionId: "name", values: ["Ada"] }], files: [claimed] };
    expect((await hub.call("POST", `/api/sessions/${better}/answer`, { as: "desk", body: sent })).status).toBe(200);
    const { body } = await hub.call("GET", `/api/sessions/${better}`, { as: "asker" });
    expect(body.files).toEqual([file]);
    expect(body.comment).toBeUndefined();
    expect((await raw(hub, "GET", `session=${better}&id=${file.sha256}`, { as: "asker" })).bytes).toEqual(png);
  });

  it("is refused if it isn't stored, and goes from the draft by null", async () => {
    const hub = await withFiles();
    const id = await askOne(hub);
    const lost = { name: "a.png", mimeType: "image/png", size: 1, sha256: "0".repeat(64) };
    const body = { answers, files: [lost] };
    expect(await hub.call("POST", `/api/sessions/${id}/answer`, { as: "desk", body })).toMatchObject({
      status: 422,
      body: { detail: 'The file "a.png" is not stored here (any more); attach it again.' },
    });
    const patch = (files: object[] | null) => hub.call("PATCH", `/api/sessions/${id}/draft`, { as: "desk", body: { files } });
    for (const files of [[lost], null]) expect((await patch(files)).body.files ?? null).toEqual(files);
  });
});

describe("a file of a message to the agent", () => {
  it("is told as it is stored, with or without words, and read by the agent", async () => {
    const hub = await withFiles();
    const id = await askOne(hub);
    const file = { ...(await attach(hub, id)), name: "a.png" };
    const claimed = { ...file, name: "../a.png", mimeType: "text/html", size: 1 };
    const { body } = await askBack(hub, id, { text: "", files: [claimed] });
    expect(body.thread).toMatchObject([{ text: "", files: [file] }]);
    const told = await hub.call("GET", `/api/sessions/${id}`, { as: "asker" });
    expect(told.body.askedBack).toEqual([{ text: "", files: [file] }]);
    const read = await raw(hub, "GET", `session=${id}&id=${file.sha256}`, { as: "asker" });
    expect([read.status, read.bytes]).toEqual([200, png]);
  });

  it("is refused if it isn't stored, and words must be there without one", async () => {
    const hub = await withFiles();
    const id = await askOne(hub);
    const lost = { name: "a.png", mimeType: "image/png", size: 1, sha256: "0".repeat(64) };
    expect(await askBack(hub, id, { text: "Why?", files: [lost] })).toMatchObject({
      status: 422,
      body: { detail: 'The file "a.png" is not stored here (any more); attach it again.' },
    });
    expect((await askBack(hub, id, { text: " ", files: [] })).status).toBe(400);
    const file = { ...(await attach(hub, id)), name: "a.png" };
    expect((await askBack(hub, id, { text: " ".repeat(4_001), files: [file] })).status).toBe(400);
    expect((await hub.call("GET", `/api/sessions/${id}`, { as: "asker" })).body.askedBack).toBeUndefined();
  });

  it("is stored with the questions that replace these before they, their messages or their draft name it", async () => {
    const memory = memoryStore();
    const kept = blobs();
    const missing: string[] = [];
    let onInsert: (id: string) => Promise<unknown> = async () => {};
    /** Whatever is written is visible, and is all there is if the hub is killed then. */
    const noteMissing = async (sessionId: string, parts: readonly { files?: AnswerFile[] | undefined }[]) => {
      for (const { name, sha256: id } of parts.flatMap(({ files = [] }) => files))
        if ((await kept.stat({ sessionId, id })) === undefined) missing.push(name);
    };
    const store: SessionStore = {
      ...memory,
      async insert(record, options) {
        await noteMissing(record.id, record.thread);
        const result = await memory.insert(record, options);
        if (record.replaces !== undefined) await onInsert(record.replaces);
        return result;
      },
      async replace(record, revision, options) {
        await noteMissing(record.id, record.thread);
        return memory.replace(record, revision, options);
      },
      async putDraft(draft, revision) {
        await noteMissing(draft.sessionId, Object.values(draft.fields));
        return memory.putDraft(draft, revision);
      },
    };
    const hub = await withFiles({ store, blobs: kept });
    const question = { id: "name", question: "What should it be called?" };
    const id = await askOne(hub, { questions: [question] });
    const named = async (name: string) => ({ ...(await attach(hub, id, Buffer.from(name))), name });
    const [lost, first, late, drafted] = [
      await named("lost.txt"),
      await named("first.txt"),
      await named("late.txt"),
      await named("draft.txt"),
    ];
    await askBack(hub, id, { text: "Why?", files: [lost, first] });
    await kept.remove({ sessionId: id, id: lost.sha256 });
    await hub.call("PATCH", `/api/sessions/${id}/draft`, { as: "desk", body: { fields: { name: { files: [drafted] } } } });
    onInsert = (replaced) => askBack(hub, replaced, { text: "And this?", files: [late] });
    const better = await askOne(hub, { questions: [question, { id: "why", question: "Why else?" }], replaces: id });
    expect(missing.filter((name) => name !== "lost.txt")).toEqual([]);
    const { thread, replaces } = (await memory.get(better)) ?? {};
    expect([thread?.map(({ text }) => text), replaces]).toEqual([["Why?", "And this?"], id]);
    for (const { name, sha256 } of [first, late, drafted]) {
      const read = await raw(hub, "GET", `session=${better}&id=${sha256}`, { as: "desk" });
      expect([name, read.status, String(read.bytes)]).toEqual([name, 200, name]);
    }
  });

  it("stays with the former questions if the hub has no room for a copy, and the agent can ask all the same", async () => {
    const kept = blobs();
    const hub = await withFiles({ blobs: kept, fileLimits: { total: 20 } });
    const id = await askOne(hub);
    const file = { ...(await attach(hub, id)), name: "a.png" };
    await askBack(hub, id, { text: "Why?", files: [file] });
    const better = await askOne(hub, { questions: [{ id: "why", question: "Why else?" }], replaces: id });
    expect((await kept.list()).map(({ sessionId }) => sessionId)).toEqual([id]);
    const refused = await hub.call("POST", `/api/sessions/${better}/answer`, {
      as: "desk",
      body: { answers: [{ questionId: "why", values: ["So."], files: [file] }] },
    });
    expect([refused.status, refused.body.detail]).toEqual([413, expect.stringContaining("limits.allFileBytes")]);
  });
});
