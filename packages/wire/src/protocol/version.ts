/** The version of the messages in this folder. Increased for incompatible changes; adding a field or a method is compatible. */
export const wireProtocol = 2;

/** The methods that take a `delay`, in the welcome: a hub that doesn't know one would settle the session at once. */
export const heldMethods: readonly string[] = ["answer", "cancel"];

/** No released hub speaks an older one. */
const firstProtocol = 2;

/**
 * The versions that a hub accepts: this one and the one before, so that a hub and the commands around it need not be updated at the same
 * moment.
 */
export const servedProtocols: readonly number[] = [wireProtocol, wireProtocol - 1].filter((version) => version >= firstProtocol);
