const MAX_DEPTH = 4;
const MAX_VALUES = 200;
const MAX_VALUE_LENGTH = 100;

/**
 * The single values of a context by their path, such as order.state, as JSON. Lists and long texts are left out: they are
 * hardly ever equal.
 */
export function contextValues(context: unknown): Map<string, string> {
  const values = new Map<string, string>();
  const visit = (value: unknown, path: string, depth: number) => {
    if (values.size >= MAX_VALUES || Array.isArray(value)) return;
    if (typeof value === "object" && value !== null) {
      if (depth < MAX_DEPTH)
        for (const [key, inner] of Object.entries(value))
          visit(inner, path === "" ? key : `${path}.${key}`, depth + 1);
      return;
    }
    const json = JSON.stringify(value);
    if (path !== "" && json.length <= MAX_VALUE_LENGTH) values.set(path, json);
  };
  visit(context, "", 0);
  return values;
}
