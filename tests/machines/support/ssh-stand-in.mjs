// Stands in for the `ssh` program: runs the command as another user's home would, and with -R leads a socket there to one here. What its
// options are for beyond that, only the real one shows (`pnpm test:faults`).
import { spawn } from "node:child_process";
import { appendFileSync, chmodSync } from "node:fs";
import { connect, createServer } from "node:net";

const args = process.argv.slice(2);
const end = args.indexOf("--");
const command = args.slice(end + 2).join(" ");
const { SSH_HOST_HOME = "", SSH_HOST_PATH = "", SSH_LOG = "" } = process.env;
appendFileSync(SSH_LOG, `${JSON.stringify({ pid: process.pid, args, isTunnel: args.includes("-R") })}\n`);

const sockets = new Set();
const forward = args.indexOf("-R");
if (forward !== -1 && forward < end) {
  const [there, here] = args[forward + 1].split(":");
  const server = createServer((socket) => {
    const other = connect(here);
    for (const [one, next] of [
      [socket, other],
      [other, socket],
    ]) {
      sockets.add(one);
      one.on("error", () => {}).on("close", () => next.destroy());
      one.pipe(next);
    }
  });
  await new Promise((resolve) => server.listen(there, resolve));
  chmodSync(there, 0o600);
}
const env = { HOME: SSH_HOST_HOME, PATH: SSH_HOST_PATH, SHELL: "/bin/sh", TMPDIR: process.env.TMPDIR ?? "/tmp" };
const child = spawn("/bin/sh", ["-c", command], { env, cwd: SSH_HOST_HOME, stdio: "inherit" });
// As sshd does, when its connection ends.
process.on("SIGTERM", () => {
  child.kill();
  process.exit(255);
});
child.on("exit", (code) => process.exit(code ?? 255));
