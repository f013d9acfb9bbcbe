import { get, type IncomingMessage } from "node:http";
import type { SessionView } from "@askbox/core";
import { onTestFinished } from "vitest";
import type { AttackedHub } from "./attacked-hub.ts";

export interface ToldEvent {
  type: string;
  sessions?: SessionView[];
  more?: true;
}

/** A reader of `/api/events`. */
export async function readEvents({ url, tokens }: AttackedHub): Promise<{ told: ToldEvent[]; close(): void }> {
  const request = get(new URL("/api/events", url), { agent: false, headers: { authorization: `Bearer ${tokens.desk}` } });
  const close = () => void request.destroy();
  onTestFinished(close);
  const response = await new Promise<IncomingMessage>((resolve, reject) => request.once("response", resolve).once("error", reject));
  request.on("error", () => {});
  response.on("error", () => {});
  const told: ToldEvent[] = [];
  let rest = "";
  response.setEncoding("utf8").on("data", (piece: string) => {
    rest += piece;
    if (!piece.includes("\n")) return;
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.startsWith("data: ")) told.push(JSON.parse(line.slice("data: ".length)) as ToldEvent);
  });
  return { told, close };
}
