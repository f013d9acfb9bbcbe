import { expect, test } from "vitest";
import { commandLines } from "../src/widgets/command-words.ts";

const told = (command: string) =>
  commandLines(command).map((line) => line.map(({ as, text }) => (as === "text" ? text : `${as}<${text}>`)).join(""));

test("addresses, paths, operators and words with a hyphen are told apart", () => {
  expect(told("curl -sSf https://a.example/x?y=1 -o ./out/a.json && rm -rf ~/tmp > /tmp/log 2>&1")).toEqual([
    "curl word<-sSf> address<https://a.example/x?y=1> word<-o> path<./out/a.json> operator<&&> rm word<-rf> path<~/tmp> operator<>> path</tmp/log> 2operator<>&>1",
  ]);
  expect(told("cat <<EOF | sh\n\n  rm a-b\nEOF\n")).toEqual(["cat operator<<<>EOF operator<|> sh\n", "\n", "  rm word<a-b>\n", "EOF\n"]);
});

test.each([
  ["nothing", ""],
  ["200 KB of slashes", "/".repeat(200_000)],
  ["200 KB of operators and spaces", "|& ; > ".repeat(30_000)],
  ["20,000 characters that alternate", "a/ -|".repeat(4_000)],
  ["20,000 line breaks", "\n".repeat(20_000)],
  ["text from right to left, and characters that no screen shows", "echo \u202eabc/\u05d0-\u05d1\u2069 \u{1f600}/\ud800 | x\r\n\u2028y"],
])("%s is shown as it is", (_, command) => {
  const lines = commandLines(command);
  expect(lines.flatMap((line) => line.map(({ text }) => text)).join("")).toBe(command);
  expect(lines.every((line) => line.every(({ text }) => text !== ""))).toBe(true);
});
