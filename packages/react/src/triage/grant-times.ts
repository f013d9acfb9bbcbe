/** How long a grant may last, as in an answer; the first is the default. */
export const grantTimes = ["8h", "1h", "1d", "7d", "30d"] as const;
