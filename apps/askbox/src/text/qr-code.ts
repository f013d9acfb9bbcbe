import { encode } from "uqr";

/** Scanners want 4 modules of quiet around the code. */
const quiet = 4;

/** A QR code of a text, two modules to a character. With colours it is dark on light whatever the terminal's theme. */
export function qrCode(text: string, { colors }: { colors: boolean }): string {
  const { data } = encode(text, { ecc: "M", border: quiet });
  const lines: string[] = [];
  for (let row = 0; row < data.length; row += 2) {
    const [upper = [], lower = []] = [data[row], data[row + 1]];
    // Without colours the terminal is taken for light on dark, as most are: what is light in the code is drawn.
    const line = upper.map((dark, column) => block(dark === colors, (lower[column] ?? false) === colors)).join("");
    lines.push(colors ? `\u001b[30;107m${line}\u001b[0m` : line);
  }
  return `${lines.join("\n")}\n`;
}

function block(upper: boolean, lower: boolean): string {
  if (upper) return lower ? "█" : "▀";
  return lower ? "▄" : " ";
}
