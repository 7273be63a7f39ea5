/** The Message-ID of the mail with an id of the outbox. */
export const messageIdOf = (id: string) => `<${id}@whytrace>`;
