import type { Action } from "@askbox/core";
import { createElement } from "react";
import { expect, test } from "vitest";
import { createStage } from "../gallery/stage.ts";
import { ActionView } from "../src/widgets/action-view.tsx";
import { cleansUp, shown } from "./page.ts";

cleansUp();

async function viewOf(action: Action): Promise<HTMLElement> {
  const asker = { project: "/home/ada/engine", branch: "main" };
  return shown(await createStage(), createElement(ActionView, { id: "q", action, asker }));
}

/** The parts in the order in which they are read, and what the heading says besides. */
const readIn = (page: HTMLElement) => ({
  parts: [...page.querySelectorAll("[data-part]")].map((part) => part.getAttribute("data-part")),
  head: [...page.querySelectorAll(".action-head dd, .action-change, .action-risk")].map(({ textContent }) => textContent),
});

const diff = "--- a.ts\n+++ a.ts\n@@ -1,2 +1,3 @@\n one\n-two\n+++ two\n+three\n";

test("the machine stands beside the folder, and nothing does on the hub's own", async () => {
  const stage = await createStage();
  const asker = { project: "/home/ada/engine", branch: "main", machine: "build-7" };
  const whereOf = (action: Action) => {
    const view = shown(stage, createElement(ActionView, { id: "q", action, asker }));
    return [...view.querySelectorAll(".action-where > div")].map(({ textContent }) => textContent);
  };
  expect(whereOf({ kind: "command", command: "ls", cwd: "/tmp" })).toEqual(["Folder/tmp", "Machineon build-7", "Branchmain"]);
  expect(whereOf({ kind: "edit", path: "a.ts" })).toEqual(["Project/home/ada/engine", "Machineon build-7", "Branchmain"]);
});

test.each([
  [
    "a tool, with the agent's words after its name",
    { kind: "tool", tool: "github.create_issue", title: "Create an issue", input: { owner: "acme" } },
    { parts: ["tool", "title", "arguments", "cwd", "branch"], head: ["github.create_issue", "Create an issue"] },
  ],
  [
    "an edit, with its file and how much changes",
    { kind: "edit", tool: "Edit", path: "a.ts", diff },
    { parts: ["tool", "path", "diff", "cwd", "branch"], head: ["Edit", "a.ts", "+2 −1", "writes"] },
  ],
  [
    "a page that is fetched",
    { kind: "fetch", tool: "WebFetch", path: "https://a.example" },
    { parts: ["tool", "path", "cwd", "branch"], head: ["WebFetch", "https://a.example", "network"] },
  ],
  [
    "a program that is known to delete",
    { kind: "command", tool: "Bash", command: "rm -rf build", cwd: "/tmp" },
    { parts: ["tool", "command", "cwd", "branch"], head: ["Bash", "deletes"] },
  ],
  ["a command without anything else", { kind: "command", command: "ls" }, { parts: ["command", "cwd", "branch"], head: [] }],
] satisfies [string, Action, ReturnType<typeof readIn>][])("%s comes first, and where it is done last", async (_, action, told) => {
  const page = await viewOf(action);
  expect(readIn(page)).toEqual({ ...told, parts: told.parts.map((part) => (part === "cwd" && !("cwd" in action) ? "project" : part)) });
});

test.each([
  ["several lines", "a <<EOF\n\n  b/c\nEOF\n"],
  ["200 KB", `x-y/${"z".repeat(200_000)}`],
])("a command of %s is shown to its last character", async (_, command) => {
  const page = await viewOf({ kind: "command", command });
  expect(page.querySelector("[data-part=command] .exact")?.textContent).toBe(command);
});
