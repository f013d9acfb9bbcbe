/** Gives the person a file. */
export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Later, since some browsers begin to read it after the click is over.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A file's name that says when it was made; local time. */
export function fileName(stem: string, at: number, extension: string): string {
  const date = new Date(at);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${stem}-${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}.${extension}`;
}
