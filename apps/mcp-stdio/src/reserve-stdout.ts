/**
 * Keeps stdout for the protocol: whoever else asks the process for it, `console.log` included, is given stderr from now on.
 * Returns the real one.
 */
export function reserveStdout(host: NodeJS.Process): NodeJS.WriteStream & { fd: 1 } {
  const { stdout } = host;
  Object.defineProperty(host, "stdout", { configurable: true, enumerable: true, get: () => host.stderr });
  return stdout;
}
