import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openHome } from "./support/home.ts";

test("askbox backup copies a home in use; askbox restore brings it back once the hub is stopped", async () => {
  const home = await openHome();
  onTestFinished(() => home.close());
  const folder = join(home.path, "kept", "monday");
  const env = { ASKBOX_HOME: join(home.path, "box") };
  const run = (...args: string[]) => home.run(args, { env });
  const asked = home.start(["ask", "Which one?"], { env });
  const [, id = ""] = await asked.says(/Asked as (\w{8})/);
  const token = (await run("token", "create", "phone", "--scope", "desk")).stdout.trim();

  expect(await run("backup", folder)).toMatchObject({ code: 2, stderr: expect.stringContaining("does not exist") });
  const made = await run("backup", join(home.path, "monday"));
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Copied .*tokens\.json, askbox\.db to /) });
  expect(await run("backup", join(home.path, "monday"))).toMatchObject({ code: 1, stderr: expect.stringContaining("already exists") });
  expect(await run("restore", join(home.path, "monday"))).toMatchObject({ code: 1, stderr: expect.stringContaining("askbox hub stop") });

  expect((await run("answer", id, "mine")).code).toBe(0);
  expect((await asked.done).stdout).toBe("mine\n");
  expect((await run("hub", "stop")).code).toBe(0);
  await rm(join(env.ASKBOX_HOME, "tokens.json"));
  expect(await run("restore", join(home.path, "monday"))).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Restored .*askbox\.db.*\nWhat was there before is in .*before-restore-/),
  });
  // Pending again, as it was; its token works again.
  const list = await home.run(["list", "--json"], { env: { ...env, ASKBOX_TOKEN: token } });
  expect(JSON.parse(list.stdout)).toMatchObject([{ status: "pending", questions: [{ question: "Which one?" }] }]);
  expect((await run("hub", "stop")).code).toBe(0);
});
