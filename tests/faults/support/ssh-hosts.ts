import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { until } from "../../support/until.ts";
import { askbox } from "./home.ts";
import { killProcess } from "./processes.ts";

/** Whether there can be hosts here: root on Linux, with sshd, namespaces and iptables. */
export const canHaveHosts =
  process.platform === "linux" &&
  process.getuid?.() === 0 &&
  ["/usr/sbin/sshd -V", "ip netns list", "iptables -V", "ssh -V"].every((line) => {
    const [program = "", ...args] = line.split(" ");
    try {
      execFileSync(program, args, { stdio: "ignore" });
      return true;
    } catch (error) {
      // sshd says its version with another exit code.
      return (error as { status?: number | null }).status != null;
    }
  });

export interface SshHost {
  name: string;
  /** askbox's folder there. */
  folder: string;
  /** Connects or disconnects it. */
  link(isUp: boolean): void;
  /** Drops this share of its packets, both ways. */
  loss(percent: number): void;
  /** Kills what serves its connections there. */
  killSessions(): number;
}

/**
 * Hosts with a real sshd, each in a network namespace of its own, behind a router that translates addresses; none can resolve a name. `ssh` in
 * `path` is the real one, in a namespace on the other side of the router. The host `slow-N` is host N with 150 ms in each direction.
 */
export async function sshHosts(count: number) {
  const mark = `abx${process.pid}`;
  const folder = mkdtempSync(join(tmpdir(), "abs-"));
  const ends: (() => void)[] = [];
  const sh = (line: string) => execFileSync("/bin/sh", ["-ec", line], { stdio: ["ignore", "pipe", "pipe"] }).toString();
  const inside = (space: string, line: string) => sh(`ip netns exec ${mark}${space} ${line}`);
  const close = () => {
    for (const end of ends.reverse()) end();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const space = (name: string) => {
    sh(`ip netns add ${mark}${name}`);
    ends.push(() => sh(`ip netns del ${mark}${name}`));
    inside(name, "ip link set lo up");
  };
  const lead = (one: string, other: string, net: string) => {
    const [a, b] = [`a${net.replaceAll(".", "")}x`, `b${net.replaceAll(".", "")}x`];
    sh(`ip link add ${a} netns ${mark}${one} type veth peer name ${b} netns ${mark}${other}`);
    inside(one, `ip addr add ${net}.1/30 dev ${a}`);
    inside(other, `ip addr add ${net}.2/30 dev ${b}`);
    inside(one, `ip link set ${a} up`);
    inside(other, `ip link set ${b} up`);
    return b;
  };
  try {
    for (const name of ["r", "c"]) space(name);
    lead("r", "c", "10.93.0");
    inside("c", "ip route add default via 10.93.0.1");
    inside("r", "sysctl -qw net.ipv4.ip_forward=1");
    inside("r", "iptables -t nat -A POSTROUTING -s 10.93.0.0/30 -j MASQUERADE");
    for (const key of ["host", "user"]) sh(`ssh-keygen -q -t ed25519 -N '' -f ${folder}/${key}`);
    mkdirSync("/run/sshd", { recursive: true });
    const bin = join(folder, "bin");
    mkdirSync(bin);
    const script = (name: string, text: string) => {
      writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
      chmodSync(join(bin, name), 0o755);
    };
    script("askbox", `exec ${askbox.map((word) => `'${word}'`).join(" ")} "$@"`);
    mkdirSync(join(folder, "ssh"));
    writeFileSync(join(folder, "ssh/ssh"), `#!/bin/sh\nexec ip netns exec ${mark}c /usr/bin/ssh -F ${folder}/config "$@"\n`);
    chmodSync(join(folder, "ssh/ssh"), 0o755);
    const delay = resolve(import.meta.dirname, "slow-link.mjs");
    let config = `Host *\n  User root\n  IdentityFile ${folder}/user\n  UserKnownHostsFile ${folder}/known\n  StrictHostKeyChecking accept-new\n`;
    const hosts: SshHost[] = [];
    for (let index = 1; index <= count; index += 1) {
      const own = join(folder, `h${index}`);
      mkdirSync(own);
      space(`h${index}`);
      const device = lead("r", `h${index}`, `10.93.${index}`);
      inside(`h${index}`, `ip route add default via 10.93.${index}.1`);
      const server = join(folder, `sshd${index}`);
      writeFileSync(
        server,
        [
          ...["Port 22", `HostKey ${folder}/host`, `AuthorizedKeysFile ${folder}/user.pub`, `PidFile ${folder}/pid${index}`],
          ...["UsePAM no", "PasswordAuthentication no", "StrictModes no", "UseDNS no", "MaxStartups 100", "PermitRootLogin yes"],
          `SetEnv HOME=${own} ASKBOX_HOME=${own}/box ASKBOX_ATTENTION=none PATH=${bin}:/usr/bin:/bin`,
        ].join("\n"),
      );
      const sshd = spawn("ip", ["netns", "exec", `${mark}h${index}`, "/usr/sbin/sshd", "-D", "-f", server, "-E", `${folder}/log${index}`], {
        stdio: "ignore",
      });
      const sessions = () =>
        sh(`ip netns pids ${mark}h${index} || true`)
          .split("\n")
          .map(Number)
          .filter((pid) => pid > 0 && pid !== sshd.pid);
      ends.push(() => {
        for (const pid of [...sessions(), sshd.pid ?? 0]) killProcess(pid);
      });
      config += `Host h${index}\n  HostName 10.93.${index}.2\n`;
      config += `Host slow-${index}\n  HostName 10.93.${index}.2\n  ProxyCommand ${process.execPath} ${delay} %h %p 150\n`;
      hosts.push({
        name: `h${index}`,
        folder: join(own, "box"),
        link: (isUp) =>
          void inside(
            `h${index}`,
            `ip link set ${device} ${isUp ? "up" : "down"}${isUp ? ` && ip netns exec ${mark}h${index} ip route replace default via 10.93.${index}.1` : ""}`,
          ),
        loss(percent) {
          for (const chain of ["INPUT", "OUTPUT"]) {
            inside(`h${index}`, `iptables -F ${chain}`);
            if (percent > 0) inside(`h${index}`, `iptables -A ${chain} -m statistic --mode random --probability ${percent / 100} -j DROP`);
          }
        },
        killSessions() {
          const pids = sessions();
          for (const pid of pids) killProcess(pid);
          return pids.length;
        },
      });
      await until("sshd listens", () =>
        readFileSync(`${folder}/log${index}`, { encoding: "utf8", flag: "a+" }).includes("Server listening"),
      );
    }
    writeFileSync(join(folder, "config"), config);
    return { hosts, path: join(folder, "ssh"), close };
  } catch (error) {
    close();
    throw error;
  }
}
