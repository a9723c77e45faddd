/** The answer where no token has the bytes in question. */
export const NO_RANK = -1;
