import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { givenToken } from "../src/connect/find-hub.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const token = `abx_${"a".repeat(43)}`;

function inFile(bytes: string | Buffer) {
  const tokenFile = join(temporaryFolder(), "token");
  writeFileSync(tokenFile, bytes);
  return givenToken({ tokenFile, env: { ASKBOX_TOKEN: "of-the-environment" } });
}

describe("the token for a hub", () => {
  it("is read from its file without a byte order mark and line breaks, and otherwise from the environment", () => {
    expect(inFile(`\uFEFF${token}\r\n`)).toBe(token);
    expect(givenToken({ env: { ASKBOX_TOKEN: `${token}\n` } })).toBe(token);
    expect(givenToken({ env: { ASKBOX_TOKEN: "" } })).toBeUndefined();
  });

  it.each([
    ["two lines", `${token}\nsecond-line`, "has more than a token"],
    ["a space", `${token} second-line`, "has more than a token"],
    ["control characters", `${token}\u0007`, "has more than a token"],
    ["letters that no header takes", `${token}\u4e2d`, "has more than a token"],
    ["much more than a token", "x".repeat(1_001), "has more than a token"],
    ["nothing", " \n", "is empty"],
    ["UTF-16", Buffer.from(`\uFEFF${token}\r\n`, "utf16le"), "is not UTF-8 text"],
  ])("is refused with a sentence that has no part of it: %s", (_what, bytes, fault) => {
    const thrown = (() => {
      try {
        return inFile(bytes);
      } catch (error) {
        return error;
      }
    })();
    expect(thrown).toMatchObject({ code: "UNAUTHORIZED", message: expect.stringMatching(new RegExp(`^The token file \\S+ ${fault}; `)) });
    expect(String(thrown)).not.toMatch(/abx_|second|xxx/);
  });

  it("is refused with the name of its variable", () => {
    const env = { ASKBOX_TOKEN: `${token}\nsecond-line` };
    expect(() => givenToken({ env })).toThrow("ASKBOX_TOKEN has more than a token; put the token there alone, in one line without spaces.");
  });
});
