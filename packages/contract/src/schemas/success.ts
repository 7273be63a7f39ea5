import { z } from "zod";

/** The response of an action that returns no data. */
export const successSchema = z.object({ success: z.literal(true) });

export const SUCCESS = { success: true } as const;
