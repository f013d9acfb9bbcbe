import { createAskbox } from "@askbox/inbox";
import { act } from "@testing-library/react";
import { createElement } from "react";
import { expect, test } from "vitest";
import { createStage } from "../gallery/stage.ts";
import { ConnectionBar } from "../src/shell/bars.tsx";
import { cleansUp, shown } from "./page.ts";

cleansUp();

type State = "connecting" | "open" | "lost";

/** The bar of a page whose connection is in this state, and a way to change that. */
async function bar(state: State) {
  let change: (state: State) => void = () => {};
  const connection = {
    state: () => state,
    onState(listener: typeof change) {
      change = listener;
      return () => {};
    },
  };
  const stage = await createStage();
  const { clock } = stage;
  const { desk } = stage.askbox;
  // No list arrives while the hub is away.
  const askbox = createAskbox({ desk: { ...desk, list: () => new Promise<never>(() => {}) }, clock, connection });
  askbox.inbox.start();
  const page = shown({ ...stage, askbox }, createElement(ConnectionBar));
  return {
    text: () => page.textContent,
    after: (milliseconds: number) => act(() => clock.advance(milliseconds)),
    becomes: (next: State) => act(() => change(next)),
  };
}

test("a page that is opened while the hub is down says after 1.5 s how to start it", async () => {
  const { text, after } = await bar("connecting");
  expect(text()).toBe("Connecting to the hub…");
  await after(1_499);
  expect(text()).toBe("Connecting to the hub…");
  await after(1);
  expect(text()).toBe("Connecting to the hub… If it has stopped, run askbox hub on its machine.");
});

test("a hub that is back soon is only said to be lost, and back", async () => {
  const { text, after, becomes } = await bar("open");
  expect(text()).toBe("");
  becomes("lost");
  await after(1_000);
  expect(text()).toBe("Connection to the hub lost. Reconnecting; what you type is kept.");
  becomes("open");
  expect(text()).toBe("Reconnected.");
  await after(2_999);
  expect(text()).toBe("Reconnected.");
  await after(1);
  expect(text()).toBe("");
});
