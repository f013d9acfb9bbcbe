import type { Output } from "../io.ts";
import { timeLeft } from "../text/duration.ts";

/** Keeps the last line of a terminal telling how much time is left; elsewhere it says nothing. Returns how to stop it. */
export function showTimeLeft(output: Output, deadlineAt: number | null): () => void {
  if (!output.isTerminal || deadlineAt === null) return () => {};
  const draw = () => void output.write(`\r\u001b[K${timeLeft(deadlineAt - Date.now())} left `);
  const timer = setInterval(draw, 1_000);
  let shown = true;
  draw();
  return () => {
    clearInterval(timer);
    if (shown) void output.write("\r\u001b[K");
    shown = false;
  };
}
