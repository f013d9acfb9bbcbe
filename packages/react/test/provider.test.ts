import type { Desk } from "@askbox/core";
import type { ConnectionState } from "@askbox/inbox";
import { act, cleanup, render, renderHook } from "@testing-library/react";
import { createElement, type ReactNode, StrictMode } from "react";
import { afterEach, expect, test } from "vitest";
import { aWorld } from "../../inbox/test/support.ts";
import { AskboxProvider, useAskbox, useInbox } from "../src/index.ts";

afterEach(cleanup);

/** A desk that counts its watches. */
function watched(desk: Desk) {
  let open = 0;
  const watch: Desk["watch"] = async (filter, listener) => {
    const begun = await desk.watch(filter, listener);
    open += 1;
    return {
      ...begun,
      close() {
        open -= 1;
        begun.close();
      },
    };
  };
  const get = (id: string) => desk.get(id);
  return { desk: { ...desk, get, watch }, watches: () => open };
}

const Waiting = () => createElement("p", null, [...useInbox().pending.values()].map(({ title }) => title).join());

test("there is one watch from mount to unmount, even in strict mode", async () => {
  const world = await aWorld();
  await world.ask({ title: "First" });
  const { desk, watches } = watched(world.broker.desk({ surface: "web" }));
  const provider = createElement(AskboxProvider, { desk, clock: world.clock }, createElement(Waiting));
  const { container, unmount } = render(createElement(StrictMode, null, provider));
  await act(() => world.settle());
  expect([container.textContent, watches()]).toEqual(["First", 1]);
  await act(() => world.ask({ title: "Second" }));
  expect(container.textContent).toBe("First,Second");
  unmount();
  expect(watches()).toBe(0);
});

test("another desk gets another inbox, and the previous watch ends", async () => {
  const [mine, theirs] = [await aWorld(), await aWorld()];
  await mine.ask({ title: "Mine" });
  await theirs.ask({ title: "Theirs" });
  const [before, after] = [mine, theirs].map(({ broker }) => watched(broker.desk({ surface: "web" })));
  if (before === undefined || after === undefined) throw new Error("There are two desks.");
  const over = (desk: Desk) => createElement(AskboxProvider, { desk, clock: mine.clock }, createElement(Waiting));
  const { container, rerender } = render(over(before.desk));
  await act(() => mine.settle());
  expect(container.textContent).toBe("Mine");
  rerender(over(after.desk));
  expect(container.textContent).toBe("");
  await act(() => theirs.settle());
  expect([container.textContent, before.watches(), after.watches()]).toEqual(["Theirs", 0, 1]);
});

test("rendering again keeps the inbox and its forms", async () => {
  const world = await aWorld();
  const desk = world.broker.desk({ surface: "web" });
  const wrapper = ({ children }: { children: ReactNode }) =>
    createElement(AskboxProvider, { desk, clock: world.clock, filter: { project: "/home/ada" } }, children);
  const { result, rerender } = renderHook(() => useAskbox(), { wrapper });
  const first = result.current;
  rerender();
  expect(result.current).toBe(first);
});

test("the clock is the system's by default", async () => {
  const world = await aWorld();
  const desk = world.broker.desk({ surface: "web" });
  const { result } = renderHook(() => useAskbox().clock.now(), {
    wrapper: ({ children }: { children: ReactNode }) => createElement(AskboxProvider, { desk }, children),
  });
  expect(Math.abs(result.current - Date.now())).toBeLessThan(60_000);
});

test("the inbox has the connection's state, and is open if the desk has no connection", async () => {
  const world = await aWorld();
  const desk = world.broker.desk({ surface: "web" });
  let state: ConnectionState = "connecting";
  const listeners = new Set<(state: ConnectionState) => void>();
  const connection = {
    state: () => state,
    onState(listener: (state: ConnectionState) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const over = (props: { connection?: typeof connection }) =>
    renderHook(() => useInbox().connection, {
      wrapper: ({ children }: { children: ReactNode }) =>
        createElement(StrictMode, null, createElement(AskboxProvider, { desk, clock: world.clock, ...props }, children)),
    });
  expect(over({}).result.current).toBe("open");
  const remote = over({ connection });
  expect(remote.result.current).toBe("connecting");
  act(() => {
    state = "lost";
    for (const listener of listeners) listener(state);
  });
  expect([remote.result.current, listeners.size]).toEqual(["lost", 1]);
  remote.unmount();
  expect(listeners.size).toBe(0);
});

test("a hook outside a provider throws an error that says what to do", () => {
  expect(() => renderHook(() => useInbox())).toThrow("Put an AskboxProvider around the components that use askbox's hooks.");
});
