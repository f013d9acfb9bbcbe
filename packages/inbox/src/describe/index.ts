export { type Delivered, deliveryOf, isAwaited } from "./delivery.ts";
export {
  type Described,
  type DescribedAsker,
  type DescribedOutcome,
  describe,
  describeAnswers,
  describeAsker,
  describeOutcome,
  describeThread,
  type Ending,
  endings,
} from "./describe.ts";
