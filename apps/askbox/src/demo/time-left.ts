import { roundedDuration } from "@askbox/inbox/text";
import type { Output } from "../io.ts";

/** Shows the remaining time on the last line of a terminal; elsewhere prints nothing. Returns a function that stops it. */
export function showTimeLeft(output: Output, deadlineAt: number | null): () => void {
  if (!output.isTerminal || deadlineAt === null) return () => {};
  const draw = () => void output.exact?.(`\r\u001b[K${roundedDuration(deadlineAt - Date.now())} left `);
  const timer = setInterval(draw, 1_000);
  let shown = true;
  draw();
  return () => {
    clearInterval(timer);
    if (shown) void output.exact?.("\r\u001b[K");
    shown = false;
  };
}
