import type { Askbox } from "@askbox/inbox";
import { act, cleanup, renderHook } from "@testing-library/react";
import { createElement, type ReactNode } from "react";
import { afterEach, expect, test } from "vitest";
import { aWorld } from "../../inbox/test/support.ts";
import { AskboxContext, useAnswerForm, useCountdown, useInbox, useSession } from "../src/index.ts";

afterEach(cleanup);

async function rendered() {
  const world = await aWorld();
  const id = await world.ask();
  const device = await world.device();
  return { world, id, device, wrapper: around(device) };
}

const around =
  (value: Askbox) =>
  ({ children }: { children: ReactNode }) =>
    createElement(AskboxContext, { value }, children);

test("a session counts as open, and as seen, once its view has been shown for a second", async () => {
  const { world, id, device, wrapper } = await rendered();
  const { result, unmount } = renderHook(() => useSession(id), { wrapper });
  await act(() => world.settle());
  expect(result.current.state).toBe("found");
  await act(() => world.clock.advance(999));
  expect(await device.desk.get(id)).toMatchObject({ presence: { openIn: [] } });
  expect((await device.desk.get(id)).seenAt).toBeUndefined();
  await act(() => world.clock.advance(1));
  expect((await device.desk.get(id)).presence.openIn).toEqual([{ surface: "web", name: "laptop" }]);
  unmount();
  await world.settle();
  expect((await device.desk.get(id)).presence.openIn).toEqual([]);
});

test("a session settled before the page opened is looked up, and one that never existed is missing", async () => {
  const { world, id, wrapper } = await rendered();
  await world.broker.desk({ surface: "cli" }).cancel(id);
  const fresh = await world.device();
  const found = renderHook(() => useSession(id), { wrapper: around(fresh) });
  await act(() => world.settle());
  expect(found.result.current.session?.status).toBe("cancelled");
  const missing = renderHook(() => useSession("zzzzzzzz"), { wrapper });
  await act(() => world.settle());
  expect(missing.result.current.state).toBe("missing");
});

test("input outlives the view and is saved to the hub when the view is left", async () => {
  const { world, id, device, wrapper } = await rendered();
  const session = await device.desk.get(id);
  const first = renderHook(() => useAnswerForm(session), { wrapper });
  act(() => first.result.current.form.setText("q_text", "kept"));
  first.unmount();
  await world.settle();
  expect((await device.desk.getDraft(id))?.fields["q_text"]).toEqual({ values: ["kept"] });
  const second = renderHook(() => useAnswerForm({ ...session }), { wrapper });
  expect(second.result.current.state.fields["q_text"]?.values).toEqual(["kept"]);
});

test("the countdown and the inbox follow the clock and the desk", async () => {
  const { world, id, device, wrapper } = await rendered();
  const session = await device.desk.get(id);
  const { result } = renderHook(() => ({ inbox: useInbox(), countdown: useCountdown(session.createdAt, session.deadlineAt) }), { wrapper });
  await act(() => world.clock.advance(75_000));
  expect(result.current.countdown).toEqual({ remaining: 225_000, fraction: 0.75 });
  await act(() => device.desk.cancel(id));
  await act(() => world.settle());
  expect(result.current.inbox.pending.size).toBe(0);
});
