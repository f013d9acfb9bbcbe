/** Calls the function once and keeps its promise: even for a loaded module, `import()` takes some 20 µs. */
export function once<Result>(load: () => Promise<Result>): () => Promise<Result> {
  let loading: Promise<Result> | undefined;
  return () => {
    loading ??= load();
    return loading;
  };
}
