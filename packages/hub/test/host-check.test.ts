import { expect, test } from "vitest";
import { hostCheck } from "../src/auth/host-check.ts";

const at = (origin: string) =>
  hostCheck({ allowedHosts: [], allowedOrigins: [], origin: () => origin, at: () => undefined, tls: false, advice: { hosts: "add it" } });
const from = (origin: string, host = "app.example") => ({ host, origin, isTls: false, isForwarded: false });

test.each([
  ["https://app.example", "https://app.example", true],
  // The network can serve that, and its pages would be taken for the hub's own.
  ["https://app.example", "http://app.example", false],
  ["https://app.example", "https://app.example:8443", false],
  ["http://app.example", "https://app.example", false],
  ["https://app.example:8443", "https://app.example", false],
])("of a hub mounted at %s, the page at %s is its own: %s", (origin, page, isOwn) => {
  expect(at(origin).isOwnPage(from(page))).toBe(isOwn);
  if (isOwn) at(origin).checkOrigin(from(page));
  else expect(() => at(origin).checkOrigin(from(page))).toThrow("Pages of other origins");
});
