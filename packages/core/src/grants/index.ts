export type { Ran, RanLog, RanPage, RanQuery } from "../ports/ran.ts";
export { actionDigest, matchingGrant } from "./matching.ts";
export { type GrantDraft, lastApprovals, type PastApproval, wouldHaveAllowed } from "./past-approvals.ts";
export { beginsWith, type GrantWish, grantWishSchema, type PrefixRisk, prefixGrant, prefixRisk, wordsOfPlainCommand } from "./prefixes.ts";
export { type Reach, ranParts, reachOf } from "./reach.ts";
