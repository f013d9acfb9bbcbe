/** The abort reason of a call that continues at another hub: it leaves the questions open, whatever cancelling would do. */
export const movedElsewhere = "The call goes on at another hub.";
