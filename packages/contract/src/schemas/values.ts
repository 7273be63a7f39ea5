import { z } from "zod";
import { DECISION_POINT_TYPES, STATUSES } from "../traces/enums.ts";

/* Values that occur in many responses. */

export const count = z.number().int();
export const instant = z.iso.datetime();
export const status = z.enum(STATUSES);
export const decisionType = z.enum(DECISION_POINT_TYPES);

/** Describes a sum of numbers that users sent. */
export const SUM_LIMIT = `A sum beyond the range of a number is returned as its limit, ±${Number.MAX_VALUE}`;
export const sum = z.number().describe(SUM_LIMIT);
/** Null if there is nothing to add up. */
export const optionalSum = z.number().nullable().describe(SUM_LIMIT);
