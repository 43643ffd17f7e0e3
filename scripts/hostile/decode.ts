import type { IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { filesIn } from '@lessonbook/server/src/test/export.ts';
import { textOfPaper } from '@lessonbook/server/src/test/paper.ts';

/** Everything that can be read from an answer: as it stands, and unpacked and decoded where it is packed or coded. */
export async function readings(headers: IncomingHttpHeaders, body: Buffer): Promise<string> {
  const plain = unpacked(headers['content-encoding'], body);
  const texts = [JSON.stringify(headers), ...(await insides(plain))];
  const text = texts.join('\n');
  return [text, ...decoded(text)].join('\n');
}

function unpacked(encoding: string | undefined, body: Buffer): Buffer {
  try {
    if (encoding === 'gzip') return gunzipSync(body);
    if (encoding === 'br') return brotliDecompressSync(body);
    if (encoding === 'deflate') return inflateSync(body);
  } catch {
    // A HEAD has the header and no body.
  }
  return body;
}

async function insides(body: Buffer): Promise<string[]> {
  const start = body.subarray(0, 5).toString('latin1');
  if (start.startsWith('%PDF')) return [body.toString('latin1'), await textOfPaper(body)];
  if (start.startsWith('PK')) return Object.entries(filesIn(body)).flat();
  return [body.toString('utf8')];
}

/** In addresses, in JSON inside JSON and in HTML. */
function decoded(text: string): string[] {
  const found: string[] = [];
  if (/%[0-9a-f]{2}/i.test(text))
    found.push(
      text.replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
        Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'),
      ),
    );
  if (text.includes('\\u'))
    found.push(
      text.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      ),
    );
  if (text.includes('&#'))
    found.push(
      text.replace(/&#(?:x([0-9a-f]+)|(\d+));/gi, (_, hex: string, dec: string) =>
        String.fromCodePoint(Math.min(0x10ffff, hex ? Number.parseInt(hex, 16) : Number(dec))),
      ),
    );
  return found;
}

/** How a word looks in base64, wherever in it the word begins, and in hexadecimal digits. */
export function codedForms(word: string): string[] {
  const cased = [word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)];
  return cased.flatMap((each) => [
    Buffer.from(each).toString('hex'),
    ...[0, 1, 2].map((before) => {
      const coded = Buffer.from('\0'.repeat(before) + each).toString('base64');
      // Letters at both ends also depend on what stands beside the word.
      const whole = Math.floor(((before + each.length) * 8) / 6);
      return coded.slice(Math.ceil((before * 8) / 6), whole);
    }),
  ]);
}
