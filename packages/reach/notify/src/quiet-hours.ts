/** Minutes of the day, in the time zone of this process. `to` may be earlier than `from`: the hours then last over midnight. */
export interface QuietHours {
  from: number;
  to: number;
}

/** The form of quiet hours: `22:00-07:00`. */
export const quietHoursPattern = /^(?:[01]\d|2[0-3]):[0-5]\d-(?:[01]\d|2[0-3]):[0-5]\d$/;

/** Reads quiet hours; undefined if they are not in that form, or never end. */
export function quietHoursOf(text: string): QuietHours | undefined {
  if (!quietHoursPattern.test(text)) return undefined;
  const [from = 0, to = 0] = text.split("-").map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)));
  return from === to ? undefined : { from, to };
}

/** When the quiet hours end that `now`, wall time in ms, is in; undefined outside them. */
export function quietUntil({ from, to }: QuietHours, now: number): number | undefined {
  const time = new Date(now);
  const minute = time.getHours() * 60 + time.getMinutes();
  const isQuiet = from < to ? minute >= from && minute < to : minute >= from || minute < to;
  if (!isQuiet) return undefined;
  const end = new Date(time.getFullYear(), time.getMonth(), time.getDate() + (minute < to ? 0 : 1), Math.floor(to / 60), to % 60);
  // Where the clock is put back, the same time of day comes twice.
  return end.getTime() > now ? end.getTime() : undefined;
}
