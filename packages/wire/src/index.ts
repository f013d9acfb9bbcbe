export type { Channel, ChannelEnd } from "./channel/channel.ts";
export { channelPair } from "./channel/channel.ts";
export { openWebSocket, type WebSocketLike, webSocketChannel } from "./channel/web-socket-channel.ts";
export { joinedEvents } from "./client/live-views.ts";
export type { BrowserLogin, Circumstances, ClientHello, WireClientOptions, WireState } from "./client/options.ts";
export { createWireClient, type StateListener, type WireClient } from "./client/wire-client.ts";
export { onlyForItself, perform } from "./handler/calls.ts";
export { type EventFeed, type EventFeedOptions, eventFeed, type FeedOutlet } from "./handler/event-feed.ts";
export { type Identity, type LoginChallenge, MAX_HELLO_BYTES, type WireHandlerOptions } from "./handler/options.ts";
export { serveWire, type WireConnection } from "./handler/serve-wire.ts";
export {
  byeReasons,
  byeSchema,
  type Challenge,
  cancelSchema,
  challengeSchema,
  clientMessageSchema,
  closeCodes,
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
  type LoginProof,
  loginKeyText,
  loginProofText,
  openedSchema,
  pingSchema,
  pongSchema,
  proofSchema,
  type Request,
  refusalSchema,
  requestSchema,
  resultSchema,
  type SentEvent,
  servedProtocols,
  watchEventSchema,
  welcomeSchema,
  wireProtocol,
} from "./protocol/messages.ts";
export type { Operation, RefusalStatus, Repeat, Rest, Role } from "./protocol/operations.ts";
export {
  type OperationName,
  operationNames,
  operations,
  type Params,
  personSchema,
  type Result,
} from "./protocol/operations.ts";
export type { Ports } from "./protocol/ports.ts";
export type { ToolCallEnd, WireDevice } from "./protocol/schemas.ts";
