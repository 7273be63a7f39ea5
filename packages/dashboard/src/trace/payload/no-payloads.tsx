/** Instead of payloads that a link leaves out. */
export const NoPayloads = () => <p className="text-muted">This link does not include payloads.</p>;
