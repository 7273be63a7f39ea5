import { z } from "zod";

/** The answer of an action that has nothing else to say. */
export const successSchema = z.object({ success: z.literal(true) });

export const SUCCESS = { success: true } as const;
