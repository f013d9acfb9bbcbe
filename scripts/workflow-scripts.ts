/** Commands built into pnpm. */
const builtIn = ["install", "add", "exec", "publish"];

/** The words after `pnpm` in a workflow that are not scripts of these; a matrix of `command` lists more of them. */
export function unknownScripts(workflow: string, scripts: readonly string[]): string[] {
  const [, matrix = ""] = /^ +command:\n((?: +- .*\n)+)/m.exec(workflow) ?? [];
  const called = [...workflow.matchAll(/\bpnpm ([a-z][\w:-]*)/g), ...matrix.matchAll(/- ([\w:-]+)/g)].map(([, name = ""]) => name);
  return called.filter((name) => !builtIn.includes(name) && !scripts.includes(name));
}
