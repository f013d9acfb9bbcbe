import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { atMostBeyond, type BenchRow, interleave, median } from "./harness.ts";

const rounds = 7;
/** Polls that a desk makes before it counts as idle. */
const polls = 20;
const command = resolve(import.meta.dirname, "../apps/askbox/bin/askbox.js");
const token = "123456:AAbbCCddEEffGGhhIIjjKKllMMnnOOppQQ";

/** Resident memory of the command's hub that is connected to a chat and waits, beside one without a chat. */
export async function bench(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "askbox-bench-"));
  let count = 0;
  let onPoll = () => {};
  // Telegram without news.
  const service = createServer((request, response) => {
    request.resume();
    onPoll();
    setTimeout(() => response.setHeader("content-type", "application/json").end('{"ok":true,"result":[]}'), 50);
  });
  service.listen(0, "127.0.0.1");
  await once(service, "listening");
  const { port } = service.address() as AddressInfo;
  const desk = {
    secrets: { token },
    bot: { id: "123456", name: "bench_bot" },
    api: `http://127.0.0.1:${port}`,
    after: 20,
    people: [{ id: "1", name: "Ada" }],
    places: [{ chat: "1", person: "1", allow: false }],
  };
  const memory = async (hasChat: boolean): Promise<number> => {
    count += 1;
    const home = join(folder, String(count));
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, "config.json"), JSON.stringify({ attention: "none", store: "memory" }));
    if (hasChat) writeFileSync(join(home, "chat.json"), JSON.stringify({ telegram: desk }), { mode: 0o600 });
    const polled = Promise.withResolvers<void>();
    let seen = 0;
    onPoll = () => {
      seen += 1;
      if (seen === polls) polled.resolve();
    };
    const env = { PATH: process.env["PATH"] ?? "", ASKBOX_HOME: home, TMPDIR: folder };
    const child = spawn(process.execPath, [command, "hub", "--json"], { env, stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    // The same time for both, by the same clock.
    if (hasChat) await polled.promise;
    else await new Promise((passed) => setTimeout(passed, polls * 60));
    const [, size = "0"] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8")) ?? [];
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    await exited;
    return Number(size) / 1_024;
  };
  try {
    const measured = await interleave(rounds, { floor: () => memory(false), askbox: () => memory(true) });
    return [
      atMostBeyond(
        {
          id: "chat-desk-memory",
          name: "memory of a hub with an idle chat; floor: one without",
          floor: median(measured.floor),
          askbox: median(measured.askbox),
          unit: "MB",
          tolerance: 0.15,
        },
        8,
      ),
    ];
  } finally {
    service.close();
    service.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  }
}
