const resets = ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"];

/**
 * The result of the work, or undefined if its connection was reset: a server may close an idle connection at the moment its client sends on it. No
 * client can rule this out, and it happens often while the hub pauses for a heap walk. Such a request was not read.
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
