/** Where an answer is that was not sent. */
export const keptIn = (path: string): string => `What you wrote is kept in ${path}; the same command opens it again.`;
