/** iCalendar (RFC 5545) output for email attachments and the feed. */

/** Takes a local date and time, for example "2026-11-17T16:00:00". */
export const formatLocal = (local: string): string => local.replaceAll(/[-:]/g, '');

export const formatUtc = (instant: Date): string =>
  `${formatLocal(instant.toISOString().slice(0, 19))}Z`;

/** Also removes control characters other than tab, which the RFC does not allow. */
export const escapeText = (value: string): string =>
  value
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll(/\r\n?|\n/g, String.raw`\n`)
    .replaceAll(/[^\P{Cc}\t]/gu, '');

const MAX_LINE_BYTES = 75;

/** Folds a line at 75 bytes or fewer, never within a character. */
function foldLine(line: string): string {
  if (Buffer.byteLength(line) <= MAX_LINE_BYTES) return line;
  let folded = '';
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > MAX_LINE_BYTES) {
      folded += '\r\n ';
      bytes = 1;
    }
    folded += character;
    bytes += size;
  }
  return folded;
}

export const buildCalendar = (parts: readonly string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Lessonbook//EN', ...parts, 'END:VCALENDAR', '']
    .map(foldLine)
    .join('\r\n');
