import { fakeClock } from "@askbox/core/testing";
import { act } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { createStage } from "../gallery/stage.ts";
import { download, fileBytes, uploadFile } from "../src/attach/files-client.ts";
import { QuickReplies } from "../src/session/quick-replies.tsx";
import { later } from "../src/ui/later.tsx";
import { cleansUp, passes, shown } from "./page.ts";

// What is tried again, or kept for a while, a millisecond before that time and then.

cleansUp();
afterEach(() => vi.unstubAllGlobals());

test("code that could not be loaded is requested again after 2 s", async () => {
  const stage = await createStage();
  const load = vi.fn(async () => () => "Loaded").mockRejectedValueOnce(new Error("The hub is away."));
  const page = shown(stage, createElement(later(load), { fallback: "…" }));
  await passes(stage, 1_999);
  expect([load.mock.calls.length, page.textContent]).toEqual([1, "…"]);
  await passes(stage, 1);
  await expect.poll(() => page.textContent).toBe("Loaded");
});

test("a part of a file is sent again after 500 ms, and after twice that each time", async () => {
  const clock = fakeClock();
  const sent = vi.fn(async () => Response.json({}, { status: 503 }));
  vi.stubGlobal("fetch", sent);
  const uploaded = uploadFile({
    clock,
    sessionId: "s",
    file: new File(["x"], "x.txt"),
    onProgress() {},
    signal: new AbortController().signal,
  });
  const outcome = expect(uploaded).rejects.toThrow();
  await expect.poll(() => clock.pendingTimers()).toBe(1);
  for (const [index, pause] of [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000].entries()) {
    await clock.advance(pause - 1);
    expect(sent).toHaveBeenCalledTimes(index + 1);
    await clock.advance(1);
    await expect.poll(() => sent.mock.calls.length).toBe(index + 2);
    if (index < 6) await expect.poll(() => clock.pendingTimers()).toBe(1);
  }
  await outcome;
});

test("a browser whose clock is wrong asks again with the hub's time", async () => {
  const clock = fakeClock();
  const headers = { date: new Date(1_800_000_000_000).toUTCString() };
  const sent = vi.fn(async () => new Response("here")).mockResolvedValueOnce(new Response("", { status: 401, headers }));
  vi.stubGlobal("fetch", sent);
  expect(await (await fileBytes(clock, "s", "f")).text()).toBe("here");
  expect(sent).toHaveBeenCalledTimes(2);
});

test("a downloaded file is there for a minute", async () => {
  const clock = fakeClock();
  const revoke = vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
  download(clock, "a.txt", new Blob(["a"]));
  await clock.advance(59_999);
  expect(revoke).not.toHaveBeenCalled();
  await clock.advance(1);
  expect(revoke).toHaveBeenCalledOnce();
});

test("a project's phrases are kept for a minute, and only on their page", async () => {
  const stage = await createStage();
  const read = vi.spyOn(stage.askbox.desk, "phrases").mockResolvedValue({ texts: [], reasons: [] });
  const show = () =>
    act(async () => shown(stage, createElement(QuickReplies, { project: "/home/ada/storefront", kind: "texts", text: "", onWrite() {} })));
  await show();
  await passes(stage, 59_999);
  await show();
  expect(read).toHaveBeenCalledTimes(1);
  await passes(stage, 1);
  await show();
  expect(read).toHaveBeenCalledTimes(2);
});
