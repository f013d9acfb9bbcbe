/**
 * Reserves stdout for the protocol: all other writes to it, `console.log` included, go to stderr from now on.
 * Returns the real one.
 */
export function reserveStdout(host: NodeJS.Process): NodeJS.WriteStream & { fd: 1 } {
  const { stdout } = host;
  Object.defineProperty(host, "stdout", { configurable: true, enumerable: true, get: () => host.stderr });
  return stdout;
}
