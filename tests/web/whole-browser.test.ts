import { expect, test } from "vitest";
import { goTo, launchWholeBrowser } from "./support/browser.ts";
import { png } from "./support/given-files.ts";
import { webSuite } from "./support/suite.ts";
import { until } from "./support/until.ts";

// Features that a browser without windows lacks, and the clipboard, of which the run's browser has one for all its pages.
const { hub, enter } = webSuite(launchWholeBrowser);

test("the page can be installed, with icons in the declared sizes; it asks once before the browser asks about notifications; the switch in the settings is only on if they will be shown", async () => {
  const id = await hub().ask({ questions: [{ id: "q", question: "Deploy?", type: "confirm" }] });
  const { page, context } = await enter({
    own: true,
    serviceWorkers: "allow",
    settings: { notify: "unasked" },
    permissions: ["notifications"],
  });
  const sizes = await page.evaluate(async () => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="manifest"]');
    const manifest = (await (await fetch(link?.href ?? "")).json()) as { icons: { src: string; sizes: string; purpose?: string }[] };
    return Promise.all(
      manifest.icons.map(async ({ src, sizes }) => {
        const image = new Image();
        image.src = src;
        await image.decode();
        return sizes === "any" || `${image.naturalWidth}x${image.naturalHeight}` === sizes;
      }),
    );
  });
  expect(sizes).toEqual([true, true, true, true]);
  const session = await context.newCDPSession(page);
  expect(await session.send("Page.getAppManifest")).toMatchObject({ errors: [] });
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  // The test's own profile is private, which can't install anything.
  expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(["in-incognito"]);

  // It asks when there is something to be notified of, and not before.
  await page.locator(".row").waitFor();
  expect(await page.getByRole("button", { name: "Not now" }).count()).toBe(0);
  await hub()
    .desk()
    .answer(id, { answers: [{ questionId: "q", values: ["yes"] }] });
  await page.getByText("You're all caught up").waitFor();
  expect(await page.getByRole("list", { name: "First steps" }).locator("[data-done]").allTextContents()).toEqual([
    "Connect an agentdone",
    "Answer its first questiondone",
  ]);
  await page.getByRole("button", { name: "Not now" }).click();
  await page.getByRole("list", { name: "First steps" }).waitFor({ state: "detached" });
  await hub().ask({ questions: [{ question: "Again?", type: "confirm" }] });
  await page.reload();
  await page.locator(".row").waitFor();
  expect(await page.getByRole("button", { name: "Notify me" }).count()).toBe(0);
  await goTo(page, "/settings");
  const toggle = page.getByTestId("settings").getByLabel("Notify me of new questions");
  expect(await toggle.isChecked()).toBe(false);
  await toggle.click();
  await expect.poll(() => toggle.isChecked()).toBe(true);
  await context.clearPermissions();
  await page.reload();
  await toggle.waitFor();
  expect(await toggle.isChecked()).toBe(false);
});

test("a picture is pasted from the system's clipboard by its key, and sent by Enter; 5,000 lines arrive in full, and Submit stays visible", async () => {
  const asked = { questions: [{ id: "look", question: "What does it look like?", type: "file" as const }] };
  const { page } = await enter({ own: true, permissions: ["clipboard-read", "clipboard-write"] });
  const id = await hub().ask(asked);
  await page.evaluate(
    (bytes) => navigator.clipboard.write([new ClipboardItem({ "image/png": new Blob([new Uint8Array(bytes)], { type: "image/png" }) })]),
    [...png],
  );
  await page.locator(`[data-session="${id}"]`).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Choose a file" }).waitFor();
  await page.keyboard.press("ControlOrMeta+v");
  await page.locator(".file-picture").waitFor();
  await page.keyboard.press("Enter");
  await page.getByTestId("outcome").waitFor();
  expect((await hub().view(id)).outcome).toMatchObject({ answers: [{ files: [{ mimeType: "image/png" }] }] });

  const log = await hub().ask({ questions: [{ question: "The log?", type: "text" }] });
  await page.locator(`[data-session="${log}"]`).click();
  const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index}: the quick brown fox`).join("\n");
  await page.evaluate((text) => navigator.clipboard.writeText(text), lines);
  const field = page.getByPlaceholder("Type your answer");
  await field.click();
  await page.keyboard.press("ControlOrMeta+v");
  await until(async () => (await field.inputValue()) === lines, "the paste");
  const send = page.getByTestId("primary");
  expect(await send.evaluate((button) => button.getBoundingClientRect().bottom <= innerHeight)).toBe(true);
  await send.click();
  await until(async () => (await hub().view(log)).status === "answered", "the answer");
  expect((await hub().view(log)).outcome).toMatchObject({ answers: [{ values: [lines] }] });
});
