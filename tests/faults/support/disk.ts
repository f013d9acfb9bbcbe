import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A separate small file system. */
export interface SmallDisk {
  readonly folder: string;
  /** Fills the remaining space. */
  fill(): void;
  /** Frees it again. */
  free(): void;
  setReadOnly(readOnly: boolean): void;
}

/** Mounts a tmpfs of this many kilobytes for this test; undefined if mounting is not allowed. */
export function mountSmallDisk(kilobytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), "askbox-disk-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${kilobytes}k`, "askbox-test", folder], { stdio: "ignore" });
  } catch {
    remove();
    return undefined;
  }
  const setReadOnly = (readOnly: boolean) => void execFileSync("mount", ["-o", `remount,${readOnly ? "ro" : "rw"}`, folder]);
  onTestFinished(() => {
    execFileSync("umount", ["--lazy", folder]);
    remove();
  });
  const ballast = join(folder, "ballast");
  return {
    folder,
    fill() {
      const file = openSync(ballast, "a");
      try {
        for (let size = 65_536; size >= 1; ) size = wrote(file, size) ? size : Math.floor(size / 2);
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(ballast, { force: true }),
    setReadOnly,
  };
}

function wrote(file: number, size: number): boolean {
  try {
    return writeSync(file, Buffer.alloc(size)) > 0;
  } catch {
    return false;
  }
}

/**
 * Makes each of the process's writes to any file fail, or succeed again: RLIMIT_FSIZE at 0 (`EFBIG`, which SQLite treats as a disk
 * error). False if the system has no `prlimit`.
 */
export function refuseWrites(pid: number, refuse: boolean): boolean {
  try {
    execFileSync("prlimit", ["--pid", String(pid), `--fsize=${refuse ? "0" : "unlimited"}:`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
