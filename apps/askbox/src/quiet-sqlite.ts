/** Keeps Node from telling people that `node:sqlite` is experimental; every other warning is printed. Call it before the store is loaded. */
export function quietSqlite(host: Pick<NodeJS.Process, "emitWarning"> = process): void {
  const emit = host.emitWarning.bind(host) as (...given: unknown[]) => void;
  const filtered = (warning: string | Error, ...rest: unknown[]): void => {
    const text = typeof warning === "string" ? warning : warning.message;
    const [first] = rest;
    const type = typeof first === "object" && first !== null && "type" in first ? first.type : first;
    if (type === "ExperimentalWarning" && text.startsWith("SQLite")) return;
    emit(warning, ...rest);
  };
  host.emitWarning = filtered as typeof host.emitWarning;
}
