/** The maximum number of messages and bytes buffered for a client that does not read a stream; beyond that the stream is closed. */
export const maxUnread = { messages: 1_000, bytes: 4_194_304 };
/** The last thing such a client reads, if it continues to read. */
export const unreadComment = ": closed, since too much of this stream was not read; open another\n\n";

/** Reads the chunks of a response. */
export type ChunkReader = Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel">;

/** Reads a stream as fast as it comes, and keeps no more than the limit. A cut stream fails after `unreadComment`. */
export function boundedReader(source: ReadableStream<Uint8Array>): ChunkReader {
  const reader = source.getReader();
  const queue: Uint8Array[] = [];
  let bytes = 0;
  let end: "whole" | "unread" | Error | undefined;
  let wake = () => {};
  const readAll = async (): Promise<void> => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (queue.length >= maxUnread.messages || bytes >= maxUnread.bytes) {
        end = "unread";
        queue.splice(0, queue.length, new TextEncoder().encode(unreadComment));
        return reader.cancel();
      }
      queue.push(next.value);
      bytes += next.value.length;
      wake();
    }
    end = "whole";
  };
  const failed = (error: unknown) => {
    end ??= error instanceof Error ? error : new Error(String(error));
  };
  void readAll()
    .catch(failed)
    .then(() => wake());
  return {
    async read() {
      while (queue.length === 0 && end === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const value = queue.shift();
      bytes -= value?.length ?? 0;
      if (value !== undefined) return { done: false, value };
      if (end === "whole") return { done: true, value: undefined };
      throw end instanceof Error ? end : new Error("The client does not read the stream.");
    },
    cancel: (reason) => reader.cancel(reason),
  };
}
