import { curlExample } from "./curl-example.ts";
import type { Operation } from "./document.ts";
import { type Html, html, inline, paragraphs } from "./html.ts";
import { renderAnswer } from "./render-answer.ts";
import { renderField, renderFields } from "./render-fields.ts";

const CREDENTIALS: Readonly<Record<string, string>> = {
  session: "Needs a session: the cookie that signing in sets.",
  apiKey: "Needs an API key: `Authorization: Bearer wt_…`.",
};

export interface OperationAt {
  path: string;
  method: string;
  operation: Operation;
}

/** One operation: what it is for, who may call it, what goes in, what comes out, and how to try it. */
export function renderOperation({ path, method, operation }: OperationAt, origin: string): Html {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const [credential] = (operation.security ?? []).flatMap((one) => Object.keys(one));
  return html`<section class="operation" id="${operationId}" aria-labelledby="${operationId}-title">
<h3 id="${operationId}-title">${inline(summary)}</h3>
<p><a class="plain" href="#${operationId}"><span class="method ${method}">${method.toUpperCase()}</span>
<code>${breakable(path)}</code></a></p>
${paragraphs(description)}
<p class="quiet">${inline(CREDENTIALS[credential ?? ""] ?? "Open to everybody.")}</p>
${parameters.length > 0 ? html`<h4>Parameters</h4><ul>${parameters.map(renderParameter)}</ul>` : undefined}
${Object.values(requestBody?.content ?? {}).map(
  ({ schema }) => html`<h4>Body</h4>${renderFields(schema, true)}`,
)}
<h4>Answers</h4>
${Object.entries(responses).map(([status, response]) => renderAnswer(status, response))}
<h4>Try it</h4>
<pre tabindex="0"><code>${curlExample(origin, path, method, operation)}</code></pre>
</section>
`;
}

/** A path may break before each of its parts where the window is narrow. */
export const breakable = (path: string): Html[] => path.split(/(?=\/)/).map((part) => html`<wbr>${part}`);

const renderParameter = ({ name, schema, description, required }: NonNullable<Operation["parameters"]>[0]) =>
  renderField(name, { ...schema, description }, required === true);
