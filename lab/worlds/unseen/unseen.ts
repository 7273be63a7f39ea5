import type { World } from "../world.ts";
import { BROWSING } from "./browsing.ts";
import { CODING } from "./coding.ts";
import { DATA_WORK } from "./data-work.ts";
import { MANY_CHOICES } from "./many-choices.ts";
import { ROUTING } from "./routing.ts";
import { SUPPORT } from "./support.ts";

/**
 * Worlds whose author did not know how Why works; nothing may be tuned on them. Every free choice is drawn with `oneOf`. A tool
 * that is called in all runs is no choice and innocent. Where two tools stand for each other in one step, to leave out the
 * good one is to choose the bad one: both are true.
 */
export const UNSEEN: World[] = [
  ...CODING,
  ...SUPPORT,
  ...BROWSING,
  ...DATA_WORK,
  ...ROUTING,
  ...MANY_CHOICES,
];
