import type { Clock } from "@askbox/core";

/** Downloads a file. */
export function download(clock: Clock, name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Revoked later, since some browsers start reading it only after the click.
  clock.setTimer(60_000, () => URL.revokeObjectURL(url));
}

/** A file name with the current local time. */
export function fileName(stem: string, at: number, extension: string): string {
  const date = new Date(at);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${stem}-${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}.${extension}`;
}
