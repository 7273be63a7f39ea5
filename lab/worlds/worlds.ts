import { DELAYED_FAULTS } from "./delayed-faults.ts";
import { GUILTY_AT_A_TIME } from "./guilty-at-a-time.ts";
import { HELD_OUT } from "./held-out.ts";
import { INNOCENTS } from "./innocents.ts";
import { LAST_CHOICES } from "./last-choices.ts";
import { OMISSIONS } from "./omissions.ts";
import { ORDERED_LOOPS } from "./ordered-loops.ts";
import { OWN_FAULTS } from "./own-faults.ts";
import { REFUNDS } from "./refunds.ts";
import { SECOND_UNSEEN } from "./second-unseen/second-unseen.ts";
import { THIRD_UNSEEN } from "./third-unseen/third-unseen.ts";
import { TRENDS_AND_SESSIONS } from "./trends-and-sessions.ts";
import { UNSEEN } from "./unseen/unseen.ts";
import type { World } from "./world.ts";

/** Kinds of agents whose faults are known, to hold what Why says against the truth. New ones come last: a world is drawn by its place. */
export const WORLDS: readonly World[] = [
  ...ORDERED_LOOPS,
  ...DELAYED_FAULTS,
  ...OMISSIONS,
  ...OWN_FAULTS,
  ...INNOCENTS,
  ...REFUNDS,
  ...LAST_CHOICES,
  ...HELD_OUT,
  ...UNSEEN,
  ...SECOND_UNSEEN,
  ...THIRD_UNSEEN,
  ...GUILTY_AT_A_TIME,
  ...TRENDS_AND_SESSIONS,
];
