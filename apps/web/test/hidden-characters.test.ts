import { act } from "@testing-library/react";
import { expect, test } from "vitest";
import { createStage } from "../gallery/stage.ts";
import { isolated } from "../src/i18n/phrases.ts";
import { historyPath, navigate, sessionPath } from "../src/router/router.tsx";
import { cleansUp, pageAt } from "./page.ts";

cleansUp();

/** Reverses the text after it, is invisible, and is blank. */
const override = "\u202E";
const blank = "\u200B";
const hidden = /[\u200B\u202A-\u202E\u2060\u{E0041}]/u;

const hostile = {
  title: `Delete ${override}gnp.exe`,
  questions: [
    {
      id: "file",
      header: `tag${blank}`,
      type: "select" as const,
      question: `Open **photo${override}gnp.exe**?`,
      options: [
        { label: `Yes${blank}`, description: `now\u2060 and${override} here`, preview: `preview${override}gnp.exe` },
        { label: blank, value: "blank", recommended: true },
        { label: "ok", value: `o${override}k` },
      ],
    },
  ],
};

/** Everything the page shows and announces, except the contents of fields. */
function said(page: Element): string {
  const names = ["title", "aria-label", "placeholder"];
  const attributes = [...page.querySelectorAll("[title], [aria-label], [placeholder]")].flatMap((element) =>
    names.map((name) => element.getAttribute(name) ?? ""),
  );
  return [page.textContent, ...attributes].join("\n");
}

// promise: web-hidden-shown
test("invisible characters are shown as symbols in the list, a question, its options and previews, in announcements, and in the history", async () => {
  const stage = await createStage({ agentId: `a${override}b`, branch: `main${blank}`, project: `/home/ada/x${override}y` });
  const page = pageAt(stage);
  const shows = (words: string) => expect.poll(() => page.textContent).toContain(words);
  await shows("No agent has asked yet");
  const { id, form } = await act(() => stage.ask(hostile));
  await expect.poll(() => page.querySelector(".row-title")?.textContent).toBe("Delete \uFFFDgnp.exe");
  await expect.poll(() => page.querySelector("[data-testid=arrivals]")?.textContent).toBe("New question: Delete \uFFFDgnp.exe");
  expect(said(page)).not.toMatch(hidden);

  act(() => navigate(sessionPath(id)));
  await shows("photo\uFFFDgnp.exe");
  await shows("Yes\uFFFD");
  expect(page.querySelectorAll(".option-label")[1]?.textContent).toContain("\uFFFD");
  await act(async () => page.querySelector<HTMLElement>(".option [aria-expanded]")?.click());
  await shows("preview\uFFFDgnp.exe");
  expect(said(page)).not.toMatch(hidden);
  form.choose("file", `o${override}k`);
  await act(() => form.submit());
  await expect.poll(() => page.querySelector("[data-testid=outcome]")).not.toBeNull();
  expect(said(page)).not.toMatch(hidden);
  // The agent gets its own value, unchanged.
  expect((await stage.view(id)).outcome).toMatchObject({ answers: [{ values: [`o${override}k`] }] });

  act(() => navigate(historyPath(id)));
  await expect.poll(() => page.querySelector("[data-testid=reader]")).not.toBeNull();
  await shows("Delete \uFFFDgnp.exe");
  expect(said(page)).not.toMatch(hidden);
});

test("a text that isolates a part of itself is isolated once, and nothing of it is replaced", () => {
  expect(isolated("Allow \u2068pnpm lint\u2069 \u2067now")).toBe("\u2068Allow pnpm lint now\u2069");
});
