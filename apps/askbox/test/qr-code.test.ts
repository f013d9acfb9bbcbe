import { encode } from "uqr";
import { describe, expect, it } from "vitest";
import { qrCode } from "../src/text/phone-guide.ts";

const text = "https://inbox.example/#login=0123456789abcdefghijkl";

/** The modules shown by a drawing, row by row. */
function drawn(code: string): boolean[][] {
  return code
    .replace(/\n$/, "")
    .split("\n")
    .flatMap((line) => {
      const blocks = [...line];
      return [blocks.map((block) => "█▀".includes(block)), blocks.map((block) => "█▄".includes(block))];
    });
}

describe("a QR code in the terminal", () => {
  const { data } = encode(text, { ecc: "M", border: 4 });

  it("draws its dark modules in black on white with colours", () => {
    const code = qrCode(text, { colors: true });
    const esc = "\u001b";
    for (const line of code.trimEnd().split("\n")) expect(line.startsWith(`${esc}[30;107m`) && line.endsWith(`${esc}[0m`)).toBe(true);
    const plain = code.replaceAll(`${esc}[30;107m`, "").replaceAll(`${esc}[0m`, "");
    expect(drawn(plain).slice(0, data.length)).toEqual(data);
  });

  it("draws its light modules, for a dark terminal, without colours", () => {
    const lines = drawn(qrCode(text, { colors: false })).slice(0, data.length);
    expect(lines).toEqual(data.map((row) => row.map((dark) => !dark)));
  });

  it("fits a narrow terminal", () => {
    const [line = ""] = qrCode(text, { colors: false }).split("\n");
    expect(line.length).toBeLessThan(60);
  });
});
