const resets = ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"];

/**
 * The work's result, or undefined if its connection was reset: a server closes an idle connection at the moment in which its client sends on it, which no
 * client can rule out, and which comes easily when the hub stands still to be looked at. Nothing was read of such a request.
 */
export async function unlessReset<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    const { code, cause } = error as { code?: string; cause?: { code?: string } };
    if (resets.includes(code ?? "") || resets.includes(cause?.code ?? "")) return undefined;
    throw error;
  }
}
