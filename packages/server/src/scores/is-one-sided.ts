const MIN_SCORES = 20;
const BAD_SHARE = 0.95;

/** Whether only complaints come: of those that say good or bad, nearly all say bad. */
export const isOneSided = ({ said, bad }: { said: number; bad: number }): boolean =>
  said >= MIN_SCORES && bad >= BAD_SHARE * said;
