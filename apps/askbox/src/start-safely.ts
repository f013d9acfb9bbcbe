import { delimiter, isAbsolute } from "node:path";

/**
 * What we start by name, such as git, is never found by way of the folder that we work in: a project could put a program there. And after
 * npx, which a plugin starts in a folder of its own, since npx obeys the project that it runs in, goes back to that project.
 */
export function startSafely(host: NodeJS.Process): void {
  const { PATH = "", ASKBOX_STARTED_IN: folder } = host.env;
  const folders = PATH.split(delimiter).filter(isAbsolute);
  // An empty PATH means the working folder, and none those of the system.
  if (folders.length > 0) host.env["PATH"] = folders.join(delimiter);
  else delete host.env["PATH"];
  // Windows otherwise looks in the working folder first.
  if (host.platform === "win32") host.env["NoDefaultCurrentDirectoryInExePath"] = "1";
  if (folder === undefined) return;
  delete host.env["ASKBOX_STARTED_IN"];
  try {
    host.chdir(folder);
  } catch {
    // It was removed meanwhile.
  }
}
