/** Whether the text contains every word of the search, in any order. Ignores case. */
export function matchesAllWords(text: string, search: string): boolean {
  const lowerCase = text.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lowerCase.includes(word));
}
