import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pages, root } from "./support/pages.ts";

const text = pages.find(({ name }) => name === "docs/security.md")?.text ?? "";
const claims = [...text.matchAll(/^- `([^`]+\.ts)`: "(.+)"$/gm)].map(([, file = "", sentence = ""]) => ({ file, sentence }));

test("docs/security.md names tests for what it says of tokens, logins, requests, the page, text and limits", () => {
  const sections = text.split(/^## /m).filter((section) => section.includes("Held by:"));
  expect(sections).toHaveLength(6);
  for (const section of sections) expect(section).toMatch(/Held by:\n- `/);
});

test.each(claims)("docs/security.md names a test that exists: $sentence", ({ file, sentence }) => {
  expect(existsSync(join(root, file)) && readFileSync(join(root, file), "utf8")).toContain(`"${sentence}`);
});
