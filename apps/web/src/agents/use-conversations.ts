import { toAskboxError } from "@askbox/core";
import type { Conversation } from "@askbox/core/clients";
import { useAskbox, useInbox, useNow } from "@askbox/react";
import { useEffect, useState } from "react";

/** The hub derives the list from up to 1,000 questions, so it is read again only now and then, and when the inbox changes. */
const readEvery = 10_000;

export function useConversations() {
  const { desk } = useAskbox();
  const { connection, pending } = useInbox();
  const [conversations, setConversations] = useState<readonly Conversation[]>();
  const [error, setError] = useState<string>();
  const tick = useNow(readEvery);

  const read = async (isWanted: () => boolean = () => true) => {
    try {
      const all = await desk.conversations();
      if (!isWanted()) return;
      setConversations(all);
      setError(undefined);
    } catch (thrown) {
      if (isWanted()) setError(toAskboxError(thrown).message);
    }
  };
  useEffect(() => {
    let isWanted = connection === "open";
    if (isWanted) void read(() => isWanted);
    return () => {
      isWanted = false;
    };
  }, [connection, pending.size, tick]);
  return { conversations, error, read: () => void read() };
}
