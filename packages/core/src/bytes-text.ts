/** `3 bytes`, `12 KB`, `3.4 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  if (bytes < 999_500) return `${Math.round(bytes / 1_000)} KB`;
  const [amount, unit] = bytes < 999_500_000 ? [bytes / 1_000_000, "MB"] : [bytes / 1_000_000_000, "GB"];
  return `${Number(amount.toFixed(1))} ${unit}`;
}
