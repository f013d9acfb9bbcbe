import { createElement, type ReactNode, useEffect, useState } from "react";
import { type AskboxOptions, createAskbox } from "../askbox.ts";
import { AskboxContext } from "./askbox-context.ts";

/**
 * Provides a desk's inbox and forms to the hooks below it, from mount to unmount. A new `desk` creates a new inbox and new forms;
 * the other options are only read then.
 *
 * @example
 * ```tsx
 * import type { Desk } from "@askbox/core";
 * import { AskboxProvider, useInbox } from "@askbox/react";
 *
 * const Count = () => useInbox().pending.size;
 * export const App = ({ desk }: { desk: Desk }) => <AskboxProvider desk={desk}><Count /></AskboxProvider>;
 * ```
 */
export function AskboxProvider({ children, ...options }: AskboxOptions & { children?: ReactNode }): ReactNode {
  const [made, setMade] = useState(() => createAskbox(options));
  const askbox = made.desk === options.desk ? made : createAskbox(options);
  if (askbox !== made) setMade(askbox);
  useEffect(() => askbox.inbox.start(), [askbox]);
  return createElement(AskboxContext.Provider, { value: askbox }, children);
}
