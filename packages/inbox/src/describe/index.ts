export {
  type Delivered,
  type Described,
  type DescribedAsker,
  type DescribedOutcome,
  deliveryOf,
  describe,
  describeAnswers,
  describeAsker,
  describeOutcome,
  describeThread,
  type Ending,
  endings,
} from "./describe.ts";
