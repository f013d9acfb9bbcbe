import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Markdown } from "../src/markdown/markdown.tsx";

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
