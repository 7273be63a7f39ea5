/** A name under which a price list may know a model, and the provider to look at, if it is known. */
interface ModelName {
  model: string;
  provider?: string | undefined;
}

/** Providers date the versions of a model: gpt-5-2025-08-07, claude-sonnet-4@20250514, gpt-4-0613. */
const VERSION_DATE = /[-@](\d{4}-\d{2}-\d{2}|\d{8}|\d{4}|latest)$/;
/** Amazon Bedrock puts the vendor, and perhaps a region, before the name: us.anthropic.claude-…-v1:0. */
const BEDROCK =
  /^((us|eu|ap|apac|jp|au|ca|sa|global|us-gov)\.)?(anthropic|amazon|meta|mistral|cohere|ai21|deepseek)\./;
const FINE_TUNED = /^ft:/;
/** Models that no provider's own pattern covers. */
const EMBEDDING = /^text-embedding-(3|ada)/;

/** The names under which to look for a model, the most specific first. */
export function modelNames(sent: string): ModelName[] {
  const name = sent.trim().toLowerCase();
  const parts = name.split("/");
  const last = parts.at(-1) ?? name;
  const names: ModelName[] = [{ model: name }];
  // `groq/llama-3.3-70b-versatile` is the model of a provider, `openrouter/anthropic/claude-sonnet-4` of a provider, too.
  for (let index = 1; index < parts.length; index += 1)
    names.push({ provider: parts[index - 1], model: parts.slice(index).join("/") });
  if (parts.length > 1) names.push({ model: last });
  if (BEDROCK.test(last)) names.push({ provider: "aws", model: last });
  if (FINE_TUNED.test(last)) {
    names.push({ provider: "openai", model: last });
    const [, base] = last.split(":");
    if (base) names.push({ model: base });
  }
  if (EMBEDDING.test(last)) names.push({ provider: "openai", model: last });
  return withoutDates(names);
}

/** Adds each name without the date at its end, after all names as they were sent. */
function withoutDates(names: ModelName[]): ModelName[] {
  const undated = names
    .map(({ model, provider }) => ({ model: model.replace(VERSION_DATE, ""), provider }))
    .filter(({ model }, index) => model !== "" && model !== names[index]?.model);
  return [...names, ...undated];
}
