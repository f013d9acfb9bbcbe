import { withPlainHosts } from "@askbox/terminal-text";
import { expect, test } from "vitest";

test.each([
  ["https://аpple.com", "https://аpple.com [xn--pple-43d.com]"],
  [
    "see (https://аpple.com/login), or HTTP://МОСКВА.рф:8080!",
    "see (https://аpple.com/login [xn--pple-43d.com]), or HTTP://МОСКВА.рф:8080 [xn--80adxhks.xn--p1ai:8080]!",
  ],
  ["https://apple.com@example.com/", "https://apple.com@example.com/ [example.com]"],
  ["https://Example.com:443/a.b, http://127.0.0.1:4141", "https://Example.com:443/a.b, http://127.0.0.1:4141"],
  ["https:// and https://%zz and аpple.com", "https:// and https://%zz and аpple.com"],
])("the hosts in %j are spelled out", (text, shown) => {
  expect(withPlainHosts(text)).toBe(shown);
});
