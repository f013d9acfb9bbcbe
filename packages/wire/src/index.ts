export type { Channel, ChannelEnd } from "./channel/channel.ts";
export { channelPair } from "./channel/channel-pair.ts";
export { openWebSocket, type WebSocketLike, webSocketChannel } from "./channel/web-socket-channel.ts";
export { joinedEvents } from "./client/joined-events.ts";
export type { BrowserLogin, Circumstances, ClientHello, WireClientOptions, WireState } from "./client/options.ts";
export { createWireClient, type StateListener, type WireClient } from "./client/wire-client.ts";
export { onlyForItself } from "./handler/desk-calls.ts";
export { type EventFeed, type EventFeedOptions, eventFeed, type FeedOutlet } from "./handler/event-feed.ts";
export { type Identity, type LoginChallenge, MAX_HELLO_BYTES, type WireHandlerOptions } from "./handler/options.ts";
export { perform } from "./handler/perform.ts";
export { serveWire, type WireConnection } from "./handler/serve-wire.ts";
export { byeReasons } from "./protocol/bye-reasons.ts";
export { closeCodes } from "./protocol/close-codes.ts";
export { type LoginProof, loginKeyText, loginProofText } from "./protocol/login-proof.ts";
export {
  byeSchema,
  type Challenge,
  cancelSchema,
  challengeSchema,
  clientMessageSchema,
  deskEventSchema,
  errorShapeSchema,
  failureSchema,
  type Hello,
  type HubInfo,
  type HubMessage,
  helloSchema,
  hubInfoSchema,
  hubMessageSchema,
  type LoginHello,
  openedSchema,
  pingSchema,
  pongSchema,
  proofSchema,
  type Request,
  refusalSchema,
  requestSchema,
  resultSchema,
  type SentEvent,
  watchEventSchema,
  welcomeSchema,
} from "./protocol/messages.ts";
export type { Operation, RefusalStatus, Repeat, Rest, Role } from "./protocol/operation.ts";
export {
  type OperationName,
  operationNames,
  operations,
  type Params,
  personSchema,
  type Result,
} from "./protocol/operations.ts";
export type { Ports } from "./protocol/ports.ts";
export { servedProtocols, wireProtocol } from "./protocol/version.ts";
export type { ToolCallEnd, WireDevice } from "./protocol/wire-schemas.ts";
