import type { Convention } from "./convention.ts";

/** Usage, tools and the answering model are inside the JSON of input and output: see `span-usage.ts`. */
export const genkit: Convention = {
  attributes: {
    "genkit:metadata:subtype": "type",
    "genkit:type": "type",
    "genkit:state": "isFailed",
    "genkit:input": "input",
    "genkit:output": "output",
  },
};
