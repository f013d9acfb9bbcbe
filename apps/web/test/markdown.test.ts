import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Markdown } from "../src/markdown/markdown.tsx";
import { says } from "../src/widgets/document-blocks.tsx";

const shown = (text: string) => renderToStaticMarkup(createElement(Markdown, { text, inline: true })).replace(/<[^>]*>/g, "");

// promise: hosts-in-punycode
test("a non-ASCII host is shown in punycode, in an address, a link and its text", () => {
  expect(shown("Log in at https://аpple.com/login.")).toContain("[xn--pple-43d.com]");
  expect(shown("<https://аpple.com>")).toBe("https://аpple.com [xn--pple-43d.com]");
  expect(shown("[Apple](https://аpple.com/login)")).toBe("Apple (xn--pple-43d.com)");
  expect(shown("[https://apple.com](https://аpple.com)")).toBe("https://apple.com (xn--pple-43d.com)");
  expect(shown("https://apple.com@example.com")).toContain("[example.com]");
  expect(shown("See https://example.com/a.")).toBe("See https://example.com/a.");
});

test("what a rendering leaves out is noticed, and only that", () => {
  expect(says("1. A class of errors", "## 1. A class of errors")).toBe(true);
  expect(says("first second", "1. first\n2. second")).toBe(true);
  expect(says("See the log", "See [the log][1]\n\n[1]: https://elsewhere.example")).toBe(false);
  expect(says("once", "once once")).toBe(false);
});
