import { CliError, EXIT } from "../../cli-error.ts";

/** The one with this id, or the only one with this name. */
export function findNamed<T extends { id: string; name: string }>(
  all: readonly T[],
  text: string,
  noun: string,
): T {
  const [found, ...others] = all.filter(({ id, name }) => id === text || name === text);
  if (!found) throw new CliError(`There is no ${noun} ${JSON.stringify(text)}`, { exitCode: EXIT.notFound });
  if (others.length > 0)
    throw new CliError(`Several have the name ${JSON.stringify(text)}`, {
      advice: `Pass the id of the ${noun}, which --json prints.`,
      exitCode: EXIT.usage,
    });
  return found;
}
