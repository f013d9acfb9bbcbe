import { afterEach, expect, onTestFinished, test } from "vitest";
import { askbox, faultHome } from "../faults/support/home.ts";
import { connectBrowser } from "../setup/browser.ts";
import { keys, terminals } from "../terminal/support/terminal.ts";
import { visit } from "./support/browser.ts";
import { tellScreens } from "./support/screens.ts";
import { until } from "./support/until.ts";

afterEach(tellScreens);

test("if the command's hub is killed while answering, the input is kept, and an answer from the shell closes the form", async () => {
  const home = faultHome();
  const first = await home.startHub();
  const port = new URL(home.hub()?.url ?? "").port;
  const { asker } = await home.connect({ role: "asker" });
  const info = { client: { name: "some-client" }, project: "/home/ada/engine" };
  const questions = [{ id: "q", type: "text" as const, question: "What should it be called?", required: true }];
  const { session } = await asker.ask({ title: "Naming", questions, timeout: 300_000 }, { asker: info, maxWait: 0 });
  const answered = asker.resume(session.id).then((handover) => handover.session);
  const link = (await home.run(["open", "--print"])).stdout.trim();

  const browser = await connectBrowser();
  onTestFinished(() => browser.close());
  const { page } = await visit(browser, link);
  await page.locator(`[data-session="${session.id}"]`).click();
  const field = page.locator(".question textarea");
  await field.fill("lathe");
  const { desk } = await home.connect({ role: "desk" });
  await until(async () => (await desk.getDraft(session.id))?.fields["q"]?.values?.[0] === "lathe", "the draft at the hub");

  await first.kill("SIGKILL");
  await page.getByText("Connection to the hub lost.").waitFor();
  await field.fill("lathe two");
  // It is said for three seconds only, once a new hub has started and the page has tried again, which it does within five seconds.
  const reconnected = page.getByText("Reconnected.").waitFor({ timeout: 60_000 });
  await home.startHub();
  expect(new URL(home.hub()?.url ?? "").port, "the hub is back where it was").toBe(port);
  await reconnected;
  expect(await field.inputValue()).toBe("lathe two");
  await until(async () => (await desk.getDraft(session.id))?.fields["q"]?.values?.[0] === "lathe two", "the draft at the new hub");

  expect((await home.run(["answer", session.id.slice(0, 8), "from the shell"])).code).toBe(0);
  await page
    .locator("#outcome-title")
    .getByText(/^Answered by .* on the command line/)
    .waitFor();
  await page.getByText("from the shell").waitFor();
  expect((await answered).state, "what the agent has").toBe("answered");
});

test("of two terminals and one browser that answer at once one wins, and the others show who was first", { tags: "nightly" }, async () => {
  const home = faultHome();
  await home.startHub();
  const { asker } = await home.connect({ role: "asker" });
  const questions = [{ id: "q", type: "confirm" as const, question: "Deploy it?", required: true }];
  const { session } = await asker.ask({ questions, timeout: 300_000 }, { asker: { client: { name: "some-client" } }, maxWait: 0 });
  const answered = asker.resume(session.id).then((handover) => handover.session);
  const link = (await home.run(["open", "--print"])).stdout.trim();
  const screens = terminals();
  const browser = await connectBrowser();
  onTestFinished(() => browser.close());
  onTestFinished(() => screens.close());
  const [program = "", ...args] = askbox;
  const open = () => screens.open({ command: [program, ...args, "--session", session.id], env: { ASKBOX_HOME: home.folder } });
  const [first, second] = [open(), open()];
  const { page } = await visit(browser, link);
  await page.locator(`[data-session="${session.id}"]`).click();
  await page.getByRole("radio", { name: "No" }).check();
  await Promise.all([first, second].map((terminal) => terminal.sees("Deploy it?")));
  for (const terminal of [first, second]) terminal.send("1");
  await Promise.all([first, second].map((terminal) => terminal.sees("(•) 1 Yes")));
  const send = await page.getByTestId("primary").elementHandle();
  first.send(keys.enter);
  second.send(keys.enter);
  await send?.evaluate((button) => (button as HTMLElement).click());

  const { outcome } = (await answered).context;
  expect(outcome?.kind).toBe("answered");
  await page.getByTestId("outcome").waitFor();
  const told = (await page.locator("#outcome-title").textContent()) ?? "";
  if (outcome?.by.surface === "web") expect(told).toBe("Answer sent");
  else expect(told).toMatch(/^Answered .*in the terminal/);
  const { desk } = await home.connect({ role: "desk" });
  expect((await desk.get(session.id)).outcome, "what stands").toEqual(outcome);
});
