/** Polls until `look` returns something truthy; fails after `deadline` ms. Errors count as not yet. */
export async function until<Found>(look: () => Promise<Found | false | undefined>, what: string, deadline = 90_000): Promise<Found> {
  const end = performance.now() + deadline;
  for (;;) {
    const found = await look().catch(() => undefined);
    if (found) return found;
    if (performance.now() > end) throw new Error(`Waited in vain for ${what}.`);
    await new Promise((again) => setTimeout(again, 20));
  }
}
