import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { AskboxError } from "@askbox/core";
import { quote } from "@askbox/core/schemas";
import { terminalLine } from "@askbox/terminal-text";
import { usageError } from "../usage.ts";

/**
 * A host that the person's own `ssh` program reaches, with their config, keys and prompts. Each thing done there is a script for `sh` on its
 * stdin: a command line would go through whatever login shell the host has, and its arguments are seen by the host's other users.
 *
 * The host's output isn't trusted: it is bounded, searched for the expected lines, and shown as one clean line.
 */

/** Milliseconds for a script that somebody may have to type a password for, and bytes of what it prints. */
const [scriptTime, longestOutput] = [120_000, 64 * 1_024];

/** A connection of its own, without any other forwarding, that notices within 15 to 20 s that the other side is gone. */
const connectionOptions = [
  ...["-o", "ConnectTimeout=20", "-o", "RemoteCommand=none", "-o", "ForwardAgent=no", "-o", "ForwardX11=no"],
  ...["-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=3", "-o", "PermitLocalCommand=no"],
];
/**
 * The person's config may have forwardings of its own for the host. One of those that fails, such as a port that another connection has, is
 * no reason to give up: whether the socket is there is seen on the host.
 */
const tunnelOptions = ["-T", "-o", "ControlPath=none", "-o", "ExitOnForwardFailure=no", "-o", "StreamLocalBindMask=0177"];

/** What was found on the host. */
export interface HostState {
  /** askbox's folder there, which only the user can open. */
  folder: string;
  /** How askbox is run there; `npx` downloads it. */
  program: "askbox" | "npx" | "none";
  /** What `askbox join --json` prints there, if that is known already: over a slow link, each connection takes seconds. */
  joined: string | undefined;
}

/** What a script did. */
export interface ScriptRun {
  code: number | null;
  /** Its lines on stdout, and the last one on stderr. */
  lines: string[];
  complaint: string;
}

/** A running tunnel. */
export interface Tunnel {
  /** Resolves with true once the socket is at its place on the host, and with false if it never was. */
  ready: Promise<boolean>;
  /** Resolves when it is over, with the last line that was said about it. */
  ended: Promise<string>;
  close(): void;
}

/** Throws a usage error for a name that ssh would take for something else. */
export function checkHost(host: string): string {
  if (/^[^\s\p{C}-][^\s\p{C}]*$/u.test(host)) return host;
  throw usageError(`${quote(host)} is no host that ssh could reach; use its name in ~/.ssh/config, or USER@HOST.`);
}

/** The host's name for people and in lists of machines: the last part of `ssh://ada@build-7:2222`. */
export const nameOfHost = (host: string): string =>
  host
    .replace(/^ssh:\/\//, "")
    .replace(/([^:]):\d+$/, "$1")
    .replaceAll(/[^\w.@-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 50) || "host";

/** In single quotes for `sh`. */
const word = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Finds askbox where a login shell would, since ssh runs commands with a shorter PATH. */
const findAskbox = `
for how in none -lc -lic; do
  [ "$how" = none ] || PATH="$("\${SHELL:-sh}" "$how" 'printf "\\n%s\\n" "$PATH"' 2>/dev/null </dev/null | tail -n 1):$PATH"
  export PATH
  if command -v askbox >/dev/null 2>&1; then run=askbox; break; fi
done
[ -n "$run" ] || { command -v npx >/dev/null 2>&1 && run=npx; }
`;

export interface SshHostOptions {
  host: string;
  /** The version that npx runs there. */
  version: string;
  env: Readonly<Record<string, string | undefined>>;
}

export function sshHost({ host, version, env }: SshHostOptions) {
  const start = (options: readonly string[], stdio: "pipe" | "inherit", command: string): ChildProcess =>
    spawn("ssh", [...connectionOptions, ...options, "--", checkHost(host), command], {
      stdio: stdio === "pipe" ? ["pipe", "pipe", "pipe"] : "inherit",
      env: { ...env },
    });

  const run = async (script: string): Promise<ScriptRun> => {
    const child = start(["-T"], "pipe", "sh -s");
    const [out, complaint] = [output(child), lastLine(child)];
    const timer = setTimeout(() => child.kill(), scriptTime);
    child.stdin?.on("error", () => {});
    child.stdin?.end(script);
    try {
      const code = await ended(child);
      return { code, lines: out().split(/\r?\n/), complaint: complaint() };
    } finally {
      clearTimeout(timer);
    }
  };

  /** Runs askbox there. `program` is how it was found before. */
  const runAskbox = (program: "askbox" | "npx", args: readonly string[], input = "") => {
    const command = program === "npx" ? `npx -y ${word(`askbox@${version}`)}` : "askbox";
    const lines = input === "" ? "</dev/null" : `<<'ASKBOX-INPUT'\n${input}\nASKBOX-INPUT`;
    return run(`${findAskbox}\n${command} ${args.map(word).join(" ")} ${lines}\n`);
  };

  return {
    /** Makes the folder, and looks for askbox. Throws `HUB_UNREACHABLE` with what ssh said. */
    async prepare(): Promise<HostState> {
      const mark = randomBytes(8).toString("hex");
      const script = `
umask 077
case "$(uname)" in Darwin) d="$HOME/Library/Application Support/askbox";; *) d="\${XDG_DATA_HOME:-$HOME/.local/share}/askbox";; esac
d="\${ASKBOX_HOME:-$d}"
mkdir -p "$d" && chmod 700 "$d" && cd "$d" || exit 1
rm -f tunnel-*.new.sock
${findAskbox}
printf '%s\\n' "${mark} folder $(pwd -P)" "${mark} program \${run:-none}"
[ "$run" != askbox ] || printf '%s\\n' "${mark} joined $(askbox join --json </dev/null 2>/dev/null | tr -d '\\n')"
`;
      const { code, lines, complaint } = await run(script);
      const said = (what: string) => lines.find((line) => line.startsWith(`${mark} ${what} `))?.slice(mark.length + what.length + 2);
      const [folder, program] = [said("folder"), said("program")];
      if (folder === undefined || (program !== "askbox" && program !== "npx" && program !== "none")) {
        throw new AskboxError("HUB_UNREACHABLE", `ssh could not do anything on ${terminalLine(host)}: ${complaint || `exit code ${code}`}`);
      }
      return { folder: plainPath(folder, "on the host"), program, joined: said("joined") };
    },

    runAskbox,

    /** The same in a terminal, for a person. Resolves with its exit code. */
    async useAskbox(program: "askbox" | "npx", args: readonly string[], isTerminal: boolean): Promise<number> {
      const command = program === "npx" ? `npx -y askbox@${version}` : "askbox";
      const script = `${findAskbox}\nexec ${command} ${args.map(word).join(" ")}`;
      return (await ended(start([isTerminal ? "-t" : "-T"], "inherit", `exec sh -c ${word(script)}`))) ?? 1;
    },

    /** Opens a socket there that leads to this one here. Its path there is the same for each tunnel: the newest one has it. */
    tunnel(local: string, there: string): Tunnel {
      const fresh = there.replace(/\.sock$/, `-${randomBytes(4).toString("hex")}.new.sock`);
      const child = start([...tunnelOptions, "-R", `${fresh}:${plainPath(local, "here")}`], "pipe", "sh -s");
      const complaint = lastLine(child);
      const ready = Promise.withResolvers<boolean>();
      let seen = "";
      child.stdout?.on("data", (piece: Buffer) => {
        seen = (seen + piece.toString("latin1")).slice(-1_000);
        if (seen.includes("askbox: ready")) ready.resolve(true);
      });
      child.stdin?.on("error", () => {});
      // Renamed, so that there is always one; the sockets of tunnels that ended before are removed. The last command ends when this side does.
      child.stdin?.write(`
[ -S ${word(fresh)} ] || { echo "The host's sshd forwards no sockets (AllowStreamLocalForwarding, AllowTcpForwarding)." >&2; exit 1; }
chmod 600 ${word(fresh)} && mv -f ${word(fresh)} ${word(there)} || exit 1
rm -f ${word(there.replace(/\.sock$/, ""))}-*.new.sock
echo "askbox: ready" && exec cat >/dev/null
`);
      const over = ended(child)
        .finally(() => ready.resolve(false))
        .then((code) => complaint() || (code === null ? "it was ended" : `ssh ended with ${code}`));
      return { ready: ready.promise, ended: over, close: () => child.kill() };
    },
  };
}

/** Throws `VALIDATION` for a path that ssh would not take as it is. */
function plainPath(path: string, where: string): string {
  const isPlain = path.startsWith("/") && !/[:%$\\"'`[\]\p{C}]/u.test(path) && Buffer.byteLength(path) <= longestPath;
  if (isPlain) return path;
  throw new AskboxError(
    "VALIDATION",
    `ssh can't forward the socket in ${terminalLine(path)} ${where}: its path has more than ${longestPath} bytes, or characters that mean something to ssh.`,
  );
}
/** A socket's path has 103 bytes on macOS; the names of the sockets take 36. */
const longestPath = 103;

/** What a process prints, up to a limit. */
function output(child: ChildProcess): () => string {
  let bytes = Buffer.alloc(0);
  child.stdout?.on("data", (piece: Buffer) => {
    bytes = Buffer.concat([bytes, piece.subarray(0, longestOutput - bytes.length)]);
  });
  return () => bytes.toString();
}

/** The last line of what a process complains about, as one clean line. */
function lastLine(child: ChildProcess): () => string {
  let text = "";
  child.stderr?.on("data", (piece: Buffer) => {
    text = (text + piece.toString()).slice(-2_000);
  });
  return () => terminalLine(text.trim().split(/\r?\n/).at(-1) ?? "").slice(0, 300);
}

/** The exit code; null if it was killed. Throws `VALIDATION` if there is no ssh. */
function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("error", (cause) =>
      reject(new AskboxError("VALIDATION", "There is no ssh program here; install OpenSSH, and run this again.", { cause })),
    );
    child.once("close", resolve);
  });
}
