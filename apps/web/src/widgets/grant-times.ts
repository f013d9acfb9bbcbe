/** How long a grant may last; the first is the default. */
export const grantTimes = ["8h", "1h", "1d", "7d", "30d"] as const;
