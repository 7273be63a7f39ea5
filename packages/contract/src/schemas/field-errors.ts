import { z } from "zod";

/** The error texts of a field in a body or query, for the API reference. */
export const fieldErrors = z.registry<{ texts: readonly string[] }>();
