import type { Page } from "playwright-core";

/** Looks at an action for as long as allowing it takes, in a page whose clock can be moved. */
export async function readIt(page: Page): Promise<void> {
  await page.getByTestId("action").first().waitFor();
  // The look begins when the page measures what is in view. That may be after the action is there.
  await page.evaluate(async () => {
    const { port1, port2 } = new MessageChannel();
    const effectsHaveRun = new Promise((resolve) => port1.addEventListener("message", resolve, { once: true }));
    port1.start();
    port2.postMessage("");
    await effectsHaveRun;
    dispatchEvent(new Event("resize"));
  });
  await page.clock.fastForward(700);
}
