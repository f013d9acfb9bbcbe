import { constants, existsSync } from "node:fs";
import { access, open, readdir, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { cut } from "@askbox/core/questions";
import { type Config, type HomeFiles, type HomeFolders, isPrivate, loadConfig } from "@askbox/home";
import { inSpace, isSharedStore } from "@askbox/hub-process";
import { terminalLine } from "@askbox/terminal-text";
import { type Finding, fail, found, ok, type Surroundings, warn } from "./finding.ts";

/** The settings; undefined if they can't be read, in which case the other checks use the defaults. */
export function checkConfig(
  folders: HomeFolders,
  files: HomeFiles,
  { env }: Surroundings,
): { config: Config | undefined; findings: Finding[] } {
  try {
    const { config, warnings } = loadConfig({ folders, env });
    const set = warnings.map((sentence) => warn("config", terminalLine(sentence)));
    return {
      config,
      findings:
        set.length > 0
          ? set
          : [ok("config", existsSync(files.config) ? `${files.config} is valid.` : `There is no ${files.config}; the defaults apply.`)],
    };
  } catch (error) {
    return { config: undefined, findings: [fail("config", terminalLine(error instanceof Error ? error.message : String(error)))] };
  }
}

/** Whether the folders are writable and secrets are readable only by their owner. */
export function checkPermissions(folders: HomeFolders, files: HomeFiles): Promise<Finding[]> {
  return found("permissions", async () => {
    const findings: Finding[] = [];
    for (const folder of new Set([folders.data, folders.runtime, folders.config, folders.logs])) {
      const place = await nearest(folder);
      if (!(await isWritable(place)))
        findings.push(fail("permissions", `${place} is not writable; change its permissions, or set ASKBOX_HOME.`));
    }
    const isOpen = async (path: string) => (await exists(path)) && !isPrivate(path);
    for (const path of [files.hub, files.lastHub, files.desk, files.database]) {
      if (await isOpen(path))
        findings.push(fail("permissions", `${path} is readable by others or belongs to another user; run: chmod 600 '${path}'`));
    }
    // Others can't read the files in it, but can see their names and times.
    if (await isOpen(folders.data))
      findings.push(warn("permissions", `${folders.data} is accessible to others; run: chmod 700 '${folders.data}'`));
    return findings.length > 0 ? findings : [ok("permissions", `${folders.data} is accessible only to you.`)];
  });
}

/** Whether the store's file is intact, and its durability. */
export function checkStore(config: Config | undefined, files: HomeFiles): Promise<Finding[]> {
  return found("store", async () => {
    const name = config?.store ?? "sqlite";
    if (name === "memory")
      return [warn("store", "The store is in memory: questions and answers are lost when the hub stops. Unset `store` to keep them.")];
    if (isSharedStore(name)) {
      const { inspectRedis, redisLabel } = await import("@askbox/store-redis");
      const url = config?.space === undefined ? name : inSpace(name, config.space);
      const { level, description } = await inspectRedis({ url });
      const text = terminalLine(`${redisLabel(url)}: ${description}`);
      return [level === "disk" || level === "replicated" ? ok("store", text) : warn("store", text)];
    }
    const path = name === "sqlite" ? files.database : name.replace(/^sqlite:/, "");
    const findings = await damagedBefore(path);
    if (!(await exists(path))) return [...findings, ok("store", `${path} will be created with the first question.`)];
    const { checkIntegrity, durability } = await import("@askbox/store-sqlite");
    const { ok: isWhole, problems } = await checkIntegrity(path);
    if (isWhole) return [...findings, ok("store", `${path} is intact. ${durability.description}`)];
    const first = terminalLine(problems[0] ?? "");
    return [...findings, fail("store", `${path} is damaged (${first}); run \`askbox hub stop\`, and the next hub recovers what it can.`)];
  });
}

/** The path of the log, and its last error. */
export function checkLog(files: HomeFiles, { now }: Surroundings): Promise<Finding[]> {
  return found("log", async () => {
    if (!(await exists(files.log))) return [ok("log", `${files.log} will be created when there is something to log.`)];
    const last = lastError(await tail(files.log));
    if (last === undefined || now() - last.at > 86_400_000) return [ok("log", `${files.log} has no errors from the last day.`)];
    return [warn("log", `${files.log} has an error from ${new Date(last.at).toISOString()}: ${cut(terminalLine(last.message), 200, "")}`)];
  });
}

async function damagedBefore(path: string): Promise<Finding[]> {
  const names = await readdir(dirname(path)).catch(() => []);
  const aside = names.filter((name) => name.startsWith(`${basename(path)}.damaged-`) && !name.endsWith("-wal"));
  if (aside.length === 0) return [];
  return [warn("store", `A damaged store was set aside: ${aside.join(", ")} in ${dirname(path)}; remove it if nothing is missing.`)];
}

function lastError(text: string): { at: number; message: string } | undefined {
  for (const line of text.split("\n").reverse()) {
    if (!line.includes('"level":"error"')) continue;
    try {
      const { time, message, error } = JSON.parse(line) as Record<string, unknown>;
      return { at: Date.parse(String(time)), message: error === undefined ? String(message) : `${String(message)}: ${String(error)}` };
    } catch {
      // The first line may be incomplete.
    }
  }
  return undefined;
}

/** Reads the end of a file, which covers about a day of errors. */
async function tail(path: string, length = 262_144): Promise<string> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(Math.min(size, length)),
      0,
      Math.min(size, length),
      Math.max(0, size - length),
    );
    return buffer.subarray(0, bytesRead).toString("utf8");
  } finally {
    await file.close();
  }
}

/** The folder, or its nearest existing parent. */
async function nearest(folder: string): Promise<string> {
  return (await exists(folder)) || dirname(folder) === folder ? folder : nearest(dirname(folder));
}

const exists = (path: string) => stat(path).then(Boolean, () => false);
const isWritable = (path: string) =>
  access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
