import { expect, it } from "vitest";
import { cleanName, fileType } from "../src/index.ts";

it.each([
  ["../../etc/passwd", "passwd"],
  ["C:\\Windows\\System32\\cmd.exe", "cmd.exe"],
  ["..", "file"],
  [" .hidden ", "hidden"],
  ["a\u0000b\u001b[31m\r\nc.txt", "ab[31mc.txt"],
  ["invoice\u202Efdp.exe", "invoicefdp.exe"],
  ["zero\u200Bwidth\uFEFF.png", "zerowidth.png"],
  ['a<b>:"|?*.txt', "a_b______.txt"],
  ["CON", "_CON"],
  ["com1.txt", "_com1.txt"],
  ["", "file"],
  ["\ud800", "file"],
  [`${"x".repeat(300)}.tar.gz`, `${"x".repeat(117)}.gz`],
  ["截图 2026.png", "截图 2026.png"],
])("the name %j becomes %j", (name, clean) => {
  expect(cleanName(name)).toBe(clean);
});

it.each([
  ["89504e470d0a1a0a", "image/png"],
  ["ffd8ffe1", "image/jpeg"],
  ["5249464600000000574542505650", "image/webp"],
  ["000000206674797068656963", "image/heic"],
  ["504b0304", "application/zip"],
  ["89504e47", "application/octet-stream"],
  ["", "text/plain"],
  ["00", "application/octet-stream"],
  ["e4b8", "text/plain"],
  ["ff", "application/octet-stream"],
])("a file that begins with %s has the type %s", (hex, type) => {
  expect(fileType(Buffer.from(hex, "hex"))).toBe(type);
});
