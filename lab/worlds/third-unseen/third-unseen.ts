import type { World } from "../world.ts";
import { CHANGED_DIRECTORY } from "./changed-directory.ts";
import { COMPACTED_CONTEXT } from "./compacted-context.ts";
import { EXPIRED_TOKEN } from "./expired-token.ts";
import { IMPATIENT_POLLING } from "./impatient-polling.ts";
import { INCIDENT } from "./incident.ts";
import { LONG_CONVERSATIONS } from "./long-conversations.ts";
import { MACRO_OF_POWER_USERS } from "./macro-of-power-users.ts";
import { MAINTENANCE_AT_NIGHT } from "./maintenance-at-night.ts";
import { MIGRATED_CUSTOMERS } from "./migrated-customers.ts";
import { REMEMBERED_WRONGLY } from "./remembered-wrongly.ts";
import { SUB_AGENTS_WITHOUT_CONTEXT } from "./sub-agents-without-context.ts";
import { TWO_KINDS_OF_ERRORS } from "./two-kinds-of-errors.ts";
import { WIDE_QUESTIONS } from "./wide-questions.ts";

/**
 * Worlds whose author did not know how Why works, written after those of `second-unseen/` and by the same rules; nothing may be tuned
 * on them.
 */
export const THIRD_UNSEEN: World[] = [
  CHANGED_DIRECTORY,
  SUB_AGENTS_WITHOUT_CONTEXT,
  EXPIRED_TOKEN,
  IMPATIENT_POLLING,
  COMPACTED_CONTEXT,
  MACRO_OF_POWER_USERS,
  REMEMBERED_WRONGLY,
  INCIDENT,
  LONG_CONVERSATIONS,
  TWO_KINDS_OF_ERRORS,
  MIGRATED_CUSTOMERS,
  WIDE_QUESTIONS,
  MAINTENANCE_AT_NIGHT,
];
