import type { Operator } from "@whytrace/server";

/** Runs `work` on a database. Loading the server's code takes long, so only commands that need it load it. */
export async function withOperator<T>(
  databaseUrl: string,
  work: (operator: Operator) => Promise<T>,
): Promise<T> {
  const { Operator } = await import("@whytrace/server");
  const operator = new Operator(databaseUrl);
  try {
    return await work(operator);
  } finally {
    await operator.close();
  }
}
