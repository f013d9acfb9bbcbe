/** Why a call is aborted that goes on at another hub: whatever cancelling does to its questions, this does not. */
export const movedElsewhere = "The call goes on at another hub.";
