/** Identifies a message to its receiver: the same in every attempt, so that a receiver can tell a repeated one. */
export const messageId = (deliveryId: string) => `msg_${deliveryId.replaceAll("-", "")}`;
