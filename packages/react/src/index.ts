export { AskboxContext, AskboxProvider, type SessionLookup, useAnswerForm, useAskbox, useInbox, useSession } from "./hooks.ts";
export { type Countdown, useCountdown, useNow, useTimed } from "./use-now.ts";
