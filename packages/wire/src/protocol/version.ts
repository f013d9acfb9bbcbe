/** The version of the messages in this folder. It rises when a change would confuse the other side; adding a field or a method does not. */
export const wireProtocol = 2;

/** No hub of a release speaks an older one. */
const firstProtocol = 2;

/** What a hub serves: this version and the one before it, so that a hub and the commands around it need not be updated at one moment. */
export const servedProtocols: readonly number[] = [wireProtocol, wireProtocol - 1].filter((version) => version >= firstProtocol);
