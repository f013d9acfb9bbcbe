/** The abort reason of a call that continues at another hub: it leaves the questions open, even if cancelling would not. */
export const movedElsewhere = "The call continues at another hub.";
