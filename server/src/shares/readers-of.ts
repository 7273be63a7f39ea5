/** Those who open the links of a user have turns and memory of their own: they must not slow down the owner. */
export const readersOf = ({ userId }: { userId: string }) => `shared ${userId}`;
