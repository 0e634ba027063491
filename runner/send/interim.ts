/** The most interim responses (1xx) to one request: no server has that much to say before it answers. */
export const mostInterim = 10_000;

/** What is wrong with more of them. */
export const tooManyInterim = `more than ${mostInterim} interim answers (1xx) came before an answer`;
