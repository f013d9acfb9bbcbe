import { basePath } from "../base-path.ts";

/** Shows the count in the title and on the icon, for a tab in the background. An exclamation mark and another colour mean that a question ends soon. */
export function showCount(count: number, endsSoon: boolean): void {
  document.title = count === 0 ? "askbox" : `(${count}${endsSoon ? "!" : ""}) askbox`;
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link === null) return;
  const drawn = count === 0 ? undefined : drawIcon(count > 99 ? "99+" : String(count), endsSoon ? "#ad2a1c" : "#2f4bb8");
  link.type = drawn === undefined ? "image/svg+xml" : "image/png";
  link.href = drawn ?? `${basePath}/icon.svg`;
}

function drawIcon(text: string, colour: string): string | undefined {
  const canvas = document.createElement("canvas");
  canvas.width = 64;
  canvas.height = 64;
  const context = canvas.getContext("2d");
  if (context === null) return undefined;
  context.fillStyle = colour;
  context.beginPath();
  context.roundRect(0, 0, 64, 64, 16);
  context.fill();
  context.fillStyle = "#ffffff";
  context.font = `700 ${text.length > 2 ? 28 : 40}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, 32, 35);
  return canvas.toDataURL("image/png");
}
