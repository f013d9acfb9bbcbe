import { expect, test } from "vitest";
import { askInThisProcess } from "../../examples/embedded-host.ts";

test("a host asks and answers in its own process, and gives the agent the answer", async () => {
  const seen: string[] = [];
  const told = await askInThisProcess("Deploy to production?", ({ questions: [asked] }) => {
    seen.push(asked?.question ?? "");
    return "yes";
  });
  expect(seen).toEqual(["Deploy to production?"]);
  expect(told).toEqual({ values: ["yes"], by: "web" });
});
