import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { root } from "./run.ts";

/** Draws `docs/demo.svg`: the output of `pnpm start`, and the answer given in a second terminal. Run `pnpm build` first, in a clean clone: the demo shows what changed. */
const command = resolve(root, "apps/askbox/bin/askbox.js");
const [beginLine, answerLine] = [/alias demo=.+/, /demo answer .+/];

interface Line {
  text: string;
  kind: "prompt" | "output";
}

async function runDemo(): Promise<Line[]> {
  const demo = spawn(process.execPath, [command, "demo"], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(demo, "exit");
  let printed = "";
  let answered: string | undefined;
  for await (const chunk of demo.stdout) {
    printed += String(chunk);
    const [begin, line] = [beginLine.exec(printed), answerLine.exec(printed)];
    if (answered !== undefined || begin === null || line === null || !printed.includes("Ctrl-C")) continue;
    // The lines are parsed by a shell, as in a real terminal.
    const shell = `${begin[0]}\n${line[0]}`;
    const told = execFileSync("sh", ["-c", shell], { cwd: root, encoding: "utf8", env: { PATH: process.env["PATH"] } });
    answered = `# in a second terminal\n$ ${begin[0]}\n$ ${line[0]}\n${told}`;
  }
  await exited;
  if (answered === undefined) throw new Error("The demo printed no line to answer with.");

  // The real paths and branch belong to the machine that draws the picture.
  const shown = (text: string): string =>
    text
      .replaceAll(/#login=\S+/g, "#login=…")
      .replaceAll(root, "~/askbox")
      .replace(/ on \S+, asked/, " on main, asked")
      .trimEnd();
  const output = (text: string): Line[] =>
    shown(text)
      .split("\n")
      .map((line) => ({ text: line, kind: /^[#$] /.test(line) ? "prompt" : "output" }));
  const [before = "", after = ""] = printed.split(/(?<=Ctrl-C[^\n]*\n)/);
  return [
    ...output("$ npx -y pnpm@12 start"),
    ...output(before),
    ...output(""),
    ...output(answered),
    ...output(""),
    ...output(after.trimStart()),
  ];
}

const columns = 140;
const [lineHeight, characterWidth, margin] = [18, 7.8, 20];

/** Breaks a line at the last column, as a terminal does. */
function wrap({ text, kind }: Line): Line[] {
  const parts = text.match(new RegExp(`.{1,${columns}}`, "gu")) ?? [""];
  return parts.map((part) => ({ text: part, kind }));
}

const escapeXml = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

function draw(lines: Line[]): string {
  const width = Math.ceil(columns * characterWidth + 2 * margin);
  const height = lines.length * lineHeight + 2 * margin;
  const rows = lines.map(({ text, kind }, index) => {
    const y = margin + (index + 0.75) * lineHeight;
    return `<text x="${margin}" y="${y}"${kind === "prompt" ? ' fill="#7ee787"' : ""} xml:space="preserve">${escapeXml(text)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    "<title>askbox demo in a terminal: an agent asks four questions, a person answers them with one command, the agent receives the answers</title>",
    `<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
    `<g fill="#e6edf3" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13">`,
    ...rows,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

const lines = await runDemo();
writeFileSync(resolve(root, "docs/demo.svg"), draw(lines.flatMap(wrap)));
