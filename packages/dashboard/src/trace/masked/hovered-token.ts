let hovered: string | null = null;

export const setHoveredToken = (token: string | null) => {
  hovered = token;
};

/** The token of a masked value below the pointer. */
export const hoveredToken = () => hovered;
