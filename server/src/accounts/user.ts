import { z } from "zod";

/** A user as the API returns it. */
export const user = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  isEmailVerified: z.boolean(),
  createdAt: z.iso.datetime(),
});
