/** Downloads a file. */
export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Revoked later, since some browsers start reading it only after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A file name with the current local time. */
export function fileName(stem: string, at: number, extension: string): string {
  const date = new Date(at);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${stem}-${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}.${extension}`;
}
