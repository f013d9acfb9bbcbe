export { AskboxContext, useAskbox, useInbox } from "./askbox-context.ts";
export { AskboxProvider, type SessionLookup, useAnswerForm, useSession } from "./hooks.ts";
export { type Countdown, useCountdown, useNow, useTimed } from "./use-now.ts";
