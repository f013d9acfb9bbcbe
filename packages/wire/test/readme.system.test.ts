import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";

it("the README's program ends with a sentence if there is no hub, and not with Node's message about an unsettled await", async () => {
  const readme = readFileSync(`${import.meta.dirname}/../README.md`, "utf8");
  const [, code = ""] = /```ts\n(.*?)```/s.exec(readme) ?? [];
  // Below the package, so that its dependencies can be imported; without the time to wait for a person.
  const file = `${import.meta.dirname}/readme-program.${process.pid}.mts`;
  writeFileSync(file, code.replace("timeout: 5_000", "timeout: 0"));
  onTestFinished(() => rmSync(file));
  const env = { ...process.env, ASKBOX_HUB: "http://127.0.0.1:9", ASKBOX_TOKEN: "none" };
  const ended = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
    execFile(process.execPath, ["--conditions=askbox-source", file], { env }, (error, _stdout, stderr) =>
      resolve({ code: error?.code, stderr }),
    );
  });
  expect(ended).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^The connection to the hub was not accepted .*; check that the hub is running\.\n$/),
  });
});
