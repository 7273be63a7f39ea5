import { z } from "zod";

/** The response of a list: one page of its items, and the page's position in the list. */
export const pageSchema = <Name extends string, Item extends z.ZodType>(name: Name, item: Item) =>
  z.object({
    [name]: z.array(item),
    total: z.number().int(),
    page: z.number().int(),
    limit: z.number().int(),
    totalPages: z.number().int(),
  });
