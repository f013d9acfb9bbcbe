let isHidden = false;

/** Suppresses Node's warning that its SQLite is experimental; call it before `node:sqlite` is loaded. Other warnings are kept. */
export function hideSqliteWarning(): void {
  if (isHidden) return;
  isHidden = true;
  const emit = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: [never]) => {
    if (String(warning instanceof Error ? warning.message : warning).startsWith("SQLite is an experimental feature")) return;
    emit.call(process, warning, ...rest);
  }) as typeof process.emitWarning;
}
