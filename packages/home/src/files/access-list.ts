import { execFileSync } from "node:child_process";
import { userInfo } from "node:os";
import { win32 } from "node:path";

export interface WindowsHost {
  env: Readonly<Record<string, string | undefined>>;
  username: string;
  /** Runs a program and waits for it; throws if it fails. */
  run(program: string, args: readonly string[]): void;
}

/** On Windows, restricts a file or a folder with its contents to this user. Throws if that fails. */
export type Restrict = (path: string, kind: "file" | "folder") => void;

export function restrictOn({ env, username, run }: WindowsHost): Restrict {
  // By its full path: Windows looks in the current folder first, which may be anybody's project.
  const icacls = win32.join(env["SystemRoot"] ?? "C:\\Windows", "System32", "icacls.exe");
  const user = [env["USERDOMAIN"], username].filter((part) => part !== undefined && part !== "").join("\\");
  return (path, kind) => run(icacls, [path, "/inheritance:r", "/grant:r", `${user}:${kind === "folder" ? "(OI)(CI)F" : "F"}`]);
}

/** Undefined on platforms with file modes. */
export const restrict: Restrict | undefined =
  process.platform === "win32"
    ? restrictOn({
        env: process.env,
        username: userInfo().username,
        run: (program, args) => void execFileSync(program, args, { windowsHide: true, stdio: "ignore", timeout: 10_000 }),
      })
    : undefined;
