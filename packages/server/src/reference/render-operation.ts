import { curlExample } from "./curl-example.ts";
import type { Operation } from "./document.ts";
import { type Html, html, inline, paragraphs } from "./html.ts";
import { renderField, renderFields } from "./render-fields.ts";
import { renderResponse } from "./render-response.ts";

export interface LocatedOperation {
  path: string;
  method: string;
  operation: Operation;
}

/** Renders an operation: description, credentials, parameters, body, responses and an example call. */
export function renderOperation({ path, method, operation }: LocatedOperation, origin: string): Html {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  return html`<section class="operation" id="${operationId}" aria-labelledby="${operationId}-title">
<h3 id="${operationId}-title">${inline(summary)}</h3>
<p><a class="plain" href="#${operationId}"><span class="method ${method}">${method.toUpperCase()}</span>
<code>${wrappablePath(path)}</code></a></p>
${paragraphs(description)}
<p class="quiet">${inline(describeCredentials(operation))}</p>
${parameters.length > 0 ? html`<h4>Parameters</h4><ul>${parameters.map(renderParameter)}</ul>` : undefined}
${Object.values(requestBody?.content ?? {}).map(
  ({ schema }) => html`<h4>Body</h4>${renderFields(schema, true)}`,
)}
<h4>Responses</h4>
${Object.entries(responses).map(([status, response]) => renderResponse(status, response))}
<h4>Example</h4>
<pre tabindex="0"><code>${curlExample(origin, path, method, operation)}</code></pre>
</section>
`;
}

function describeCredentials({ security = [] }: Operation): string {
  const accepted = security.flatMap((scheme) => [
    ...(scheme.session ? ["a session cookie"] : []),
    ...(scheme.apiKey ? [`an API key with the scope ${scheme.apiKey.map((scope) => `\`${scope}\``)}`] : []),
  ]);
  return accepted.length > 0 ? `Requires ${accepted.join(", or ")}.` : "Requires no credentials.";
}

/** Allows a line break before each segment of a path, for narrow windows. */
export const wrappablePath = (path: string): Html[] => path.split(/(?=\/)/).map((part) => html`<wbr>${part}`);

const renderParameter = ({ name, schema, description, required }: NonNullable<Operation["parameters"]>[0]) =>
  renderField(name, { ...schema, description }, required === true);
