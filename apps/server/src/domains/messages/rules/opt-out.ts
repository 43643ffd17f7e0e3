const STOP = new Set(['stop', 'stopp', 'unsubscribe']);
const START = new Set(['start']);

/** Parses a message to the server's number; anything but a single keyword is ignored. */
export function parseOptOut(text: string): 'stop' | 'start' | null {
  const keyword = text
    .trim()
    .replace(/[.!]+$/, '')
    .toLowerCase();
  if (STOP.has(keyword)) return 'stop';
  return START.has(keyword) ? 'start' : null;
}

/**
 * One key for all spellings of a number. In Mexico, Argentina and Brazil the sender's number may have a mobile digit more or
 * less than the number we send to.
 */
export function normalizeNumber(digits: string): string {
  return digits
    .replace(/^521(\d{10})$/, '52$1')
    .replace(/^549(\d{10})$/, '54$1')
    .replace(/^55(\d{2})9(\d{8})$/, '55$1$2');
}
