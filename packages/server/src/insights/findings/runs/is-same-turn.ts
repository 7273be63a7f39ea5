/** Whether two turns chose the same options, in any order. Of a turn without options it is not known what it chose. */
export const isSameTurn = (one: readonly number[] | undefined, other: readonly number[] | undefined) =>
  one !== undefined &&
  one.length > 0 &&
  one.length === other?.length &&
  one.every((option) => other.includes(option));
