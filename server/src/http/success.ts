import { z } from "zod";

/** The answer of an action that has nothing else to say. */
export const success = z.object({ success: z.literal(true) });

export const done = { success: true } as const;
