import { encode } from "uqr";

/** Scanners need a quiet zone of 4 modules around the code. */
const quiet = 4;

/** A QR code of a text, with two modules per character. With colours it is dark on light whatever the terminal's theme. */
export function qrCode(text: string, { colors }: { colors: boolean }): string {
  const { data } = encode(text, { ecc: "M", border: quiet });
  const lines: string[] = [];
  for (let row = 0; row < data.length; row += 2) {
    const [upper = [], lower = []] = [data[row], data[row + 1]];
    // Without colours, assumes a terminal with light text on a dark background, and draws the light modules.
    const line = upper.map((dark, column) => block(dark === colors, (lower[column] ?? false) === colors)).join("");
    lines.push(colors ? `\u001b[30;107m${line}\u001b[0m` : line);
  }
  return `${lines.join("\n")}\n`;
}

function block(upper: boolean, lower: boolean): string {
  if (upper) return lower ? "█" : "▀";
  return lower ? "▄" : " ";
}
