const STOP_KEYWORDS = new Set(['stop', 'stopp', 'unsubscribe']);
const START_KEYWORDS = new Set(['start']);

/** Parses a message sent to our WhatsApp number. Anything other than a single keyword is ignored. */
export function parseOptOutKeyword(text: string): 'stop' | 'start' | null {
  const keyword = text
    .trim()
    .replace(/[.!]+$/, '')
    .toLowerCase();
  if (STOP_KEYWORDS.has(keyword)) return 'stop';
  return START_KEYWORDS.has(keyword) ? 'start' : null;
}
