import { z } from "zod";

/** Fields that take any text, because the server only hashes it, or compares it in its own process. */
export const anyText = z.registry<undefined>();
