/** The text of iCalendar (RFC 5545), which mails and the feed write alike: values, lines, and lines put together. */

/** A date and time on somebody's wall ("2026-11-17T16:00:00"). */
export const formatLocal = (shown: string): string => shown.replaceAll(/[-:]/g, '');

export const formatUtc = (instant: Date): string =>
  `${formatLocal(instant.toISOString().slice(0, 19))}Z`;

/** Free text as a value. Control characters other than a tab may not stand there, and a calendar would stumble. */
export const escapeText = (value: string): string =>
  value
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll(/\r\n?|\n/g, String.raw`\n`)
    .replaceAll(/[^\P{Cc}\t]/gu, '');

const LONGEST_LINE = 75;

/** Lines are at most 75 bytes; the rest goes on after a space, never in the middle of a letter. */
function foldLine(line: string): string {
  if (Buffer.byteLength(line) <= LONGEST_LINE) return line;
  let folded = '';
  let bytes = 0;
  for (const letter of line) {
    const size = Buffer.byteLength(letter);
    if (bytes + size > LONGEST_LINE) {
      folded += '\r\n ';
      bytes = 1;
    }
    folded += letter;
    bytes += size;
  }
  return folded;
}

/** A whole calendar around its parts, as it goes over the wire. */
export const buildCalendar = (parts: readonly string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Lessonbook//EN', ...parts, 'END:VCALENDAR', '']
    .map(foldLine)
    .join('\r\n');
