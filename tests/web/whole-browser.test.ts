import { expect, test } from "vitest";
import { goTo, launchWholeBrowser } from "./support/browser.ts";
import { png } from "./support/given-files.ts";
import { webSuite } from "./support/suite.ts";

// Features that a browser without windows lacks.
const { hub, enter } = webSuite(launchWholeBrowser);

test("the page can be installed, with icons in the declared sizes; it asks once before the browser asks about notifications; the switch in the settings is only on if they will be shown", async () => {
  await hub().ask({ questions: [{ question: "Deploy?", type: "confirm" }] });
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

  await page.getByRole("button", { name: "Not now" }).click();
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

test("a picture is pasted from the system's clipboard by its key, and sent by Enter", async () => {
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
});
