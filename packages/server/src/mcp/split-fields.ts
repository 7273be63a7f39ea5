/**
 * The fields of a JSON object as JSON text, in their order. Parsing would round large numbers, and build payloads of
 * megabytes. The text must be valid.
 */
export function splitFields(json: string): [name: string, value: string][] {
  const fields: [string, string][] = [];
  let depth = 0;
  let nameStart = -1;
  let name: string | undefined;
  let valueStart = 0;
  const endValue = (at: number) => {
    if (name !== undefined) fields.push([name, json.slice(valueStart, at).trim()]);
    name = undefined;
  };
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') {
      if (depth === 1 && name === undefined) nameStart = at;
      at = endOfString(json, at);
      if (depth === 1 && name === undefined) {
        name = JSON.parse(json.slice(nameStart, at + 1));
        valueStart = json.indexOf(":", at) + 1;
        at = valueStart - 1;
      }
    } else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) endValue(at);
    } else if (character === "," && depth === 1) endValue(at);
  }
  return fields;
}

/** The index of the quote that ends the string. */
function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (json[at - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return json.length;
}
