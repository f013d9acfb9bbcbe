import type { Ran } from "@askbox/core/grants";
import { aGrant, aRan } from "@askbox/core/testing";
import { act, fireEvent } from "@testing-library/react";
import { expect, test } from "vitest";
import { createStage, type Stage } from "../gallery/stage.ts";
import { button, cleansUp, click, fill, pageAt, passes, path, press } from "./page.ts";

cleansUp();

const claude = { client: "claude-code", tool: "Bash", project: "/home/ada/engine" } as const;

/** Three that ran: by a grant, by a rule and by a model, the newest last. */
async function withThree(): Promise<Stage> {
  const stage = await createStage();
  const { broker, clock } = stage;
  const now = clock.now();
  await broker.grants.add(aGrant({ id: "k3f9", client: "claude-code", createdAt: now, expiresAt: now + 86_400_000 }));
  const ran: Partial<Ran>[] = [
    { what: "npm test", by: { kind: "grant", name: "k3f9" } },
    { what: "rm -rf build \\\n  --verbose \u200b", reach: ["deletes"], by: { kind: "rule", name: "acceptEdits" }, failed: true },
    { what: "git push origin main", reach: ["network"], by: { kind: "model", name: "auto mode" } },
  ];
  await broker.ran.add(ran.map((each) => aRan(now, { ...claude, ...each })));
  return stage;
}

const textsOf = (page: Element) =>
  [...page.querySelectorAll("[data-testid=ran-row]")].map((row) => row.textContent?.replace(/[\u2068\u2069]/g, "") ?? "");

test("the page lists what ran, newest first, with what it reaches and who let it; R leads there", async () => {
  const page = pageAt(await withThree());
  await act(async () => void fireEvent.keyDown(document.body, { key: "R", shiftKey: true }));
  await expect.poll(path).toBe("/ran");
  await expect.poll(() => textsOf(page).length).toBe(3);
  const [push, removal, tests] = textsOf(page);
  expect(push).toMatch(/git push origin main.*now.*network.*let by Claude Code's auto mode.*engine/);
  expect(removal).toMatch(/rm -rf build .* --verbose ⟨U\+200B⟩.*deletes.*failed.*let by Claude Code in its mode acceptEdits/);
  expect(tests).toMatch(/npm test.*let by the grant k3f9/);
});

test("one cursor is moved by j and k, and shows its action whole, with a rule to allow it or a button to revoke its grant", async () => {
  const { broker, ...stage } = await withThree();
  const page = pageAt({ broker, ...stage }, "/ran");
  const under = () => page.querySelector("[data-peeked]");
  await expect.poll(() => under()?.textContent).toContain("git push origin main");
  expect(under()?.querySelector("code")?.textContent).toBe("askbox grants add 'git push' --client claude-code --project /home/ada/engine");
  await press("j");
  await expect.poll(() => under()?.textContent).toContain("rm -rf build \\\n  --verbose");
  expect(document.activeElement).toBe(under());
  expect(under()?.querySelector("code")).toBeNull();
  await press("j");
  await expect.poll(() => button(page, "Revoke")).toBeDefined();
  await click(button(page, "Revoke"));
  await expect.poll(() => broker.grants.list()).toEqual([]);
  await expect.poll(() => button(page, "Revoke")).toBeUndefined();
  expect(page.textContent).toContain("Revoked");
});

test("the list is narrowed by reach, by who let it and by words, and shows what ran meanwhile", async () => {
  const stage = await withThree();
  const page = pageAt(stage, "/ran");
  const field = (name: string) => page.querySelector(`[aria-label="${name}"]`);
  const first = () => textsOf(page).map((text) => /git push|rm -rf|npm test|curl/.exec(text)?.[0]);
  await expect.poll(() => first().length).toBe(3);
  await fill(field("Reach"), "network");
  await expect.poll(first).toEqual(["git push"]);
  await fill(field("Reach"), "");
  await fill(field("Let by"), "grant");
  await expect.poll(first).toEqual(["npm test"]);
  await fill(field("Let by"), "");
  await fill(field("Search"), "acceptedits build");
  await expect.poll(first).toEqual(["rm -rf"]);
  await fill(field("Search"), "nowhere");
  await expect.poll(() => page.textContent).toContain("Nothing matches.");
  await fill(field("Search"), "");
  await expect.poll(() => first().length).toBe(3);
  await stage.broker.ran.add([aRan(stage.clock.now(), { ...claude, what: "curl https://example.com" })]);
  await passes(stage, 15_000);
  await expect.poll(first).toEqual(["curl", "git push", "rm -rf", "npm test"]);
});

test("a hub that keeps nothing says how to turn it on, and one that has nothing yet says so", async () => {
  const off = pageAt(await createStage({}, { keepsRan: false }), "/ran");
  await expect.poll(() => off.textContent).toContain("This hub doesn't keep what ran without you");
  expect([...off.querySelectorAll("code")].map(({ textContent }) => textContent)).toEqual([
    "askbox config set ran 7d",
    "askbox install claude-code --approvals --ran",
  ]);
  const empty = pageAt(await createStage(), "/ran");
  await expect.poll(() => empty.textContent).toContain("Nothing yet.");
});
