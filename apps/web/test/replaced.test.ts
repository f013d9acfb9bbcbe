import { type AskInput, parseAsk } from "@askbox/core";
import { seededIds } from "@askbox/core/testing";
import { act, fireEvent } from "@testing-library/react";
import { createElement, useState } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { SessionPage } from "../src/session/session-page.tsx";
import { cleansUp, look, opened, passes, shown, t } from "./page.ts";

cleansUp();

const asking = (command: string): AskInput => ({
  questions: [{ id: "run", type: "approval", question: "May I?", action: { kind: "command", command, input: { command } } }],
});

beforeEach(() => {
  // happy-dom has no layout: every action is in view, to its end.
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 300, 100));
  document.elementFromPoint = () => document.querySelector("[data-action]");
});

test("a replacement is a page of its own: a key for the old one decides nothing, and the new one has to be looked at first", async () => {
  const { stage, id } = await opened(asking("ls"));
  let open: (id: string) => void = () => {};
  const page = shown(
    stage,
    createElement(() => {
      const [openId, setOpen] = useState(id);
      open = setOpen;
      return createElement(SessionPage, { id: openId });
    }),
  );
  const action = () => page.querySelector("[data-action]")?.textContent ?? "";
  const allow = () => act(async () => fireEvent.keyDown(document.body, { key: "Y", shiftKey: true }));
  await expect.poll(() => action()).toContain("ls");
  // Seen, and long enough to be allowed.
  fireEvent(globalThis.window, new Event("resize"));
  await passes(stage, look);

  const { asker } = await stage.view(id);
  const request = parseAsk(asking("rm -rf ~"), { ids: seededIds() });
  const { session: next } = await stage.broker.asker("agents").ask(request, { asker, replaces: id, maxWait: 0, earlier: false });
  await expect.poll(() => page.textContent).toContain(t("thread.replaced"));
  await allow();
  expect(page.textContent).not.toContain("rm -rf");

  act(() => open(next.id));
  await expect.poll(() => action()).toContain("rm -rf");
  await allow();
  expect(page.textContent).toContain(t("approval.early"));
  expect(await stage.view(next.id)).toMatchObject({ status: "pending", revision: 1 });
  await passes(stage, 699);
  await allow();
  expect(await stage.view(next.id)).toMatchObject({ status: "pending", revision: 1 });
  await passes(stage, 1);
  await allow();
  await expect.poll(async () => (await stage.view(next.id)).scheduled).toBeDefined();
});
