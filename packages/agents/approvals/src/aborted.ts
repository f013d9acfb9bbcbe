/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  if (signal.aborted) resolve(undefined);
  else signal.addEventListener("abort", () => resolve(undefined), { once: true });
  return promise;
}
