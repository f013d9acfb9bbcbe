import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { browserOrigin } from "../src/auth/host-check.ts";

const certificateOf = (name: string) =>
  readFileSync(new URL(`../../hub-process/test/fixtures/tls/${name}.cert.pem`, import.meta.url).pathname, "utf8");

test("a browser on the hub's machine goes to an address that the certificate covers, and otherwise to the hub's own", () => {
  const outside = ["https://elsewhere.example:4141"];
  const originFor = (own: string, name: string) => browserOrigin(own, outside, certificateOf(name));
  expect(originFor("https://127.0.0.1:4141", "one")).toBe("https://127.0.0.1:4141");
  expect(originFor("https://10.0.0.7:4141", "elsewhere")).toBe(outside[0]);
  expect(originFor("https://127.0.0.1:4141", "elsewhere")).toBe("https://127.0.0.1:4141");
});
