import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";

// Stands right before an agent, and keeps what it reads and writes, to the byte: tee.mjs FILE COMMAND…
const [file, program, ...args] = process.argv.slice(2);
const agent = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
process.stdin.on("data", (bytes) => {
  appendFileSync(`${file}.in`, bytes);
  agent.stdin.write(bytes);
});
process.stdin.on("end", () => agent.stdin.end());
agent.stdout.on("data", (bytes) => {
  appendFileSync(`${file}.out`, bytes);
  process.stdout.write(bytes);
});
agent.on("close", (code) => {
  process.exitCode = code ?? 1;
  process.stdin.destroy();
});
