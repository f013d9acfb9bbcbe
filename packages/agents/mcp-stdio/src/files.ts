import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { lstat, mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { isAskboxError } from "@askbox/core";
import type { AnswerFile } from "@askbox/core/questions";
import type { FindHubOptions, HubFileKey } from "@askbox/home";
import type { FileSource } from "@askbox/mcp";

/** Milliseconds that git may take to say whether it ignores a path. */
const gitTimeout = 2_000;

/**
 * The files of answers for an agent on this machine: pictures from the hub, and the files themselves in the folder `.askbox/files` of the
 * agent's project, which every client may read. The pictures of its questions come from the project or the folder for temporary files.
 */
export function hubFileSource(options: FindHubOptions): FileSource {
  const load = async () => {
    const { downloadFile, findHub } = await import("@askbox/home");
    const hub = await findHub(options);
    return (sessionId: string, sha256: string, how: Omit<HubFileKey, "sessionId" | "sha256">) =>
      downloadFile(hub, { sessionId, sha256, ...how });
  };
  /** Why it can't be shown. */
  const refused = (error: unknown): string => {
    if (isAskboxError(error, "VALIDATION")) return error.message;
    throw error;
  };
  return {
    picture: async (sessionId, { sha256 }, { signal }) =>
      (await load())(sessionId, sha256, { fit: "agent", signal }).then(({ bytes, type }) => ({ data: bytes, mimeType: type }), refused),
    async send(request, { identity: { project } }) {
      const { allImages } = await import("@askbox/core/questions");
      if (allImages(request.questions).length === 0) return request;
      const [{ findHub, uploadPicture, workingFolder }, { withUploads }] = await Promise.all([
        import("@askbox/home"),
        import("@askbox/files/asking"),
      ]);
      const base = project ?? workingFolder() ?? tmpdir();
      const hub = await findHub(options);
      // Some clients start their servers in the root folder, which is no project.
      const folders = [...(dirname(base) === base ? [] : [base]), tmpdir()];
      return withUploads(request, { base, folders, upload: (picture) => uploadPicture(hub, picture) });
    },
    async place(sessionId, files, { signal, identity: { project } }) {
      if (project === undefined || !isAbsolute(project)) return undefined;
      const folder = await safeFolder(project);
      if (folder === undefined) return undefined;
      const download = await load();
      const paths = new Map<string, string>();
      for (const file of files) {
        const path = join(folder, nameOf(file));
        if (!(await isThere(path, file.size))) await write(path, (await download(sessionId, file.sha256, { signal })).bytes);
        paths.set(file.sha256, path);
      }
      return { paths, remark: await gitRemark(project, [...paths.values()][0]) };
    },
  };
}

/** The hub has cleaned the name; here it is also kept apart from others, and from anything that runs by its name. */
const nameOf = ({ name, sha256 }: AnswerFile) => `${sha256.slice(0, 12)}-${name.replace(/[/\\\0]/g, "_")}`;

/** `.askbox/files` in the project; undefined if that would be elsewhere, since a project may contain links to anywhere. */
async function safeFolder(project: string): Promise<string | undefined> {
  const root = await realpath(project).catch(() => undefined);
  if (root === undefined) return undefined;
  let folder = root;
  for (const name of [".askbox", "files"]) {
    folder = join(folder, name);
    await mkdir(folder).catch(() => {});
    if (!(await lstat(folder).catch(() => undefined))?.isDirectory()) return undefined;
  }
  return folder;
}

async function isThere(path: string, size: number): Promise<boolean> {
  const state = await lstat(path).catch(() => undefined);
  return state?.isFile() === true && state.size === size;
}

/** In one step, and never through a link. */
async function write(path: string, bytes: Uint8Array): Promise<void> {
  const unfinished = `${path}.${process.pid}.tmp`;
  await rm(unfinished, { force: true });
  const file = await open(unfinished, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    await file.writeFile(bytes);
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
}

/** What git does with the files. */
async function gitRemark(project: string, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const { readOnlyGit, readOnlyGitEnv } = await import("@askbox/home");
  const code = await new Promise<unknown>((resolve) => {
    const child = execFile(
      "git",
      ["-C", project, ...readOnlyGit, "check-ignore", "--quiet", "--", path],
      { timeout: gitTimeout, env: readOnlyGitEnv() },
      (error) => resolve(error === null ? 0 : (error.code ?? undefined)),
    );
    child.on("error", () => resolve(undefined));
  });
  if (code === 0) return "Git ignores these paths, and so may your tool for reading files.";
  return code === 1 ? "Git doesn't ignore these paths: leave them out of commits, unless the person wants them there." : undefined;
}
