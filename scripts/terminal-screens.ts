import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { program, setup, teardown } from "../tests/setup/programs.ts";
import { startHub } from "../tests/terminal/support/hub.ts";
import type { Size, TestTerminal } from "../tests/terminal/support/terminal.ts";
import { root } from "./run.ts";

// The terminals load a program that this bundles.
await setup();
const { keys, terminals } = await import("../tests/terminal/support/terminal.ts");

/** Draws `docs/terminal-*.svg`: the terminal inbox and `askbox setup` as rendered by a headless terminal. */
const folder = resolve(root, "docs");
const [characterWidth, lineHeight, margin] = [8.4, 18, 16];

/** The colours of the picture's terminal, by number; its background is dark. */
const palette = ["#1c1f26", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d7dae0"];
const [background, foreground] = ["#16181d", "#d7dae0"];

const escaped = (text: string): string => text.replace(/[&<>]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[sign] ?? sign);

function picture(terminal: TestTerminal, { columns, rows }: Size): string {
  const { active } = terminal.xterm.buffer;
  const texts: string[] = [];
  for (let row = 0; row < rows; row += 1) {
    const line = active.getLine(active.viewportY + row);
    for (let column = 0; column < columns; column += 1) {
      const cell = line?.getCell(column);
      const text = cell?.getChars() ?? "";
      if (cell === undefined || text.trim() === "") continue;
      const color = cell.isFgDefault() ? foreground : (palette[cell.getFgColor() % 8] ?? foreground);
      const look = `${cell.isBold() ? ' font-weight="bold"' : ""}${cell.isDim() ? ' opacity="0.6"' : ""}${cell.isItalic() ? ' font-style="italic"' : ""}`;
      const [x, y] = [margin + column * characterWidth, margin + (row + 0.8) * lineHeight];
      texts.push(`<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" fill="${color}"${look}>${escaped(text)}</text>`);
    }
  }
  const [width, height] = [columns * characterWidth + 2 * margin, rows * lineHeight + 2 * margin];
  const font = "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace";
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="${font}" font-size="14">`,
    `<rect width="100%" height="100%" rx="8" fill="${background}"/>`,
    ...texts,
    "</svg>",
    "",
  ].join("\n");
}

/** `askbox setup`, on a machine with four clients; nothing is set up. */
async function setupPicture(): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), "askbox-setup-"));
  try {
    for (const name of [".claude", ".codex", ".cursor", ".gemini"]) mkdirSync(join(home, name));
    writeFileSync(join(home, ".gemini", "settings.json"), "{}\n");
    writeFileSync(join(home, ".cursor", "mcp.json"), '{ "mcpServers": { "askbox": { "command": "askbox", "args": ["mcp"] } } }\n');
    const size = { columns: 80, rows: 19 };
    const env = { HOME: home, ASKBOX_HOME: join(home, "askbox"), PATH: dirname(process.execPath), CLAUDECODE: "" };
    const terminal = opened.open({ ...size, command: [...program("askbox"), "setup"], env });
    await terminal.sees("[x] Gemini CLI");
    // Its changes name the folder of this clone.
    terminal.send(keys.down, " ");
    await terminal.sees("[ ] Codex");
    const drawn = picture(terminal, size);
    terminal.send("q");
    await terminal.exited;
    return drawn;
  } finally {
    rmSync(home, { recursive: true });
  }
}

const preview = "```ts\nconst store = await openStore({ path });\nawait store.insert(session);\n```";
const hub = await startHub();
const opened = terminals();
try {
  await hub.ask(
    {
      title: "Where sessions are kept",
      questions: [
        {
          id: "q_store",
          type: "select",
          header: "Store",
          question: "Which store should the **engine** use? It decides what survives a crash.",
          required: true,
          allowOther: true,
          options: [
            { label: "SQLite", value: "sqlite", description: "One file, durable, nothing to run", recommended: true, preview },
            { label: "Redis", value: "redis", description: "Many hubs share one inbox" },
            { label: "Memory", value: "memory", description: "Gone with the process" },
          ],
        },
        { id: "q_name", type: "text", header: "Name", question: "What should the new module be called?", required: true },
        { id: "q_drop", type: "confirm", header: "Replace", question: "May it replace the old module?", required: false },
      ],
    },
    { client: { name: "claude-code" }, agentId: undefined, branch: "store" },
  );
  await hub.ask({ title: "Release 0.3 now?", timeout: 900_000 }, { client: { name: "codex" }, project: "/home/ada/mill", branch: "main" });
  await hub.ask(
    { title: "Name of the table", timeout: 1_200_000 },
    { client: { name: "gemini-cli" }, project: "/home/ada/loom", branch: "sql" },
  );
  mkdirSync(folder, { recursive: true });
  for (const [name, size] of Object.entries({ wide: { columns: 110, rows: 26 }, narrow: { columns: 40, rows: 16 } })) {
    const terminal = opened.open({ ...size, env: hub.env });
    await terminal.sees("3 questions wait");
    terminal.send(keys.enter);
    await terminal.sees(size.columns > 80 ? "openStore" : "SQLite  recommended");
    terminal.send("1");
    await terminal.sees("(•) 1 SQLite");
    writeFileSync(resolve(folder, `terminal-${name}.svg`), picture(terminal, size));
    terminal.kill("SIGKILL");
    await terminal.exited;
  }
  writeFileSync(resolve(folder, "terminal-setup.svg"), await setupPicture());
} finally {
  await opened.close();
  await hub.close();
  teardown();
}
