/** What the words of a search mean, as a text for the search field. */
export const searchHelp = 'all words · "a phrase" · -without · status=500';

/**
 * Returns whether a text in lower case fits a search: it contains all words and all phrases in quotation marks, and none
 * with a `-` before it. `name:value` is the same as `name=value`. A number of up to three digits, such as a status, is
 * searched as a whole, since it is part of many trace IDs.
 */
export function readSearch(search: string): (text: string) => boolean {
  const terms = [...search.toLowerCase().matchAll(/(-?)(?:"([^"]*)"?|(\S+))/g)]
    .map(([, sign, phrase, word = '']) => ({ isWanted: sign === '', words: phrase ?? word }))
    .filter(({ words }) => words !== '' && words !== '-')
    .map(({ isWanted, words }) => ({ isWanted, has: finder(words) }));
  return (text) => terms.every(({ isWanted, has }) => has(text) === isWanted);
}

function finder(words: string): (text: string) => boolean {
  if (/^\d{1,3}$/.test(words)) {
    const whole = new RegExp(`(?<![\\w-])${words}(?![\\w-])`);
    return (text) => text.includes(words) && whole.test(text);
  }
  const named = words.replace(/^([a-z]+):(?=[^\s/])/, '$1=');
  return named === words
    ? (text) => text.includes(words)
    : (text) => text.includes(words) || text.includes(named);
}
