export { actionDigest, matchingGrant } from "./matching.ts";
export { type GrantDraft, lastApprovals, type PastApproval, wouldHaveAllowed } from "./past-approvals.ts";
export { beginsWith, wordsOfPlainCommand } from "./plain-command.ts";
export { type GrantWish, grantWishSchema, prefixGrant } from "./prefix-grant.ts";
export { type PrefixRisk, prefixRisk } from "./risky-prefix.ts";
