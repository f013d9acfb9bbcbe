import { expect, test } from "vitest";
import { markdownRows } from "../src/markdown/markdown.ts";

const shown = (text: string) =>
  markdownRows(text, 200)
    .map((row) => row.map((part) => part.text).join(""))
    .join("\n");

// promise: hosts-in-punycode
test("a non-ASCII host is shown in punycode, in an address, a link and an image", () => {
  expect(shown("Log in at https://аpple.com/login")).toContain("[xn--pple-43d.com]");
  expect(shown("<https://аpple.com>")).toBe("https://аpple.com [xn--pple-43d.com]");
  expect(shown("[Apple](https://аpple.com/login)")).toBe("Apple (https://аpple.com/login [xn--pple-43d.com])");
  expect(shown("![logo](https://аpple.com/logo.png)")).toBe("logo (https://аpple.com/logo.png [xn--pple-43d.com])");
  expect(shown(`https://аpple.com ${"x".repeat(10_001)}`)).toContain("[xn--pple-43d.com]");
  expect(shown("See https://example.com/a")).toBe("See https://example.com/a");
});
