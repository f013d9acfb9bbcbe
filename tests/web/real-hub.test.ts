import { expect, test } from "vitest";
import { faultHome } from "../faults/support/home.ts";
import { launchBrowser, visit } from "./support/browser.ts";
import { until } from "./support/until.ts";

test("with the command's own hub killed in mid-answer, what was typed is still there, and what the shell settles closes the form", async () => {
  const home = faultHome();
  const first = await home.startHub();
  const port = new URL(home.hub()?.url ?? "").port;
  const { asker } = await home.connect({ role: "asker" });
  const info = { client: { name: "some-client" }, project: "/home/ada/engine" };
  const questions = [{ id: "q", type: "text" as const, question: "What should it be called?", required: true }];
  const { session } = await asker.open({ title: "Naming", questions, timeout: 300_000 }, { asker: info });
  const answered = asker.wait(session.id);
  const link = (await home.run(["open", "--print"])).stdout.trim();

  const browser = await launchBrowser();
  try {
    const { page } = await visit(browser, link);
    await page.locator(`[data-session="${session.id}"]`).click();
    const field = page.locator(".question textarea");
    await field.fill("lathe");
    const { desk } = await home.connect({ role: "desk" });
    await until(async () => (await desk.getDraft(session.id))?.fields["q"]?.values?.[0] === "lathe", "the draft at the hub");

    await first.kill("SIGKILL");
    await page.getByText("The connection to the hub is lost.").waitFor();
    await field.fill("lathe two");
    await home.startHub();
    expect(new URL(home.hub()?.url ?? "").port, "the hub is back where it was").toBe(port);
    await page.getByText("Connected again.").waitFor({ timeout: 20_000 });
    expect(await field.inputValue()).toBe("lathe two");
    await until(async () => (await desk.getDraft(session.id))?.fields["q"]?.values?.[0] === "lathe two", "the draft at the new hub");

    expect((await home.run(["answer", session.id.slice(0, 8), "from the shell"])).code).toBe(0);
    await page.locator("#outcome-title").getByText("Answered in the command line by").waitFor();
    await page.getByText("from the shell").waitFor();
    expect((await answered).state, "what the agent has").toBe("answered");
  } finally {
    await browser.close();
  }
});
