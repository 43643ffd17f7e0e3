import type { IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { unzipFiles } from '@lessonbook/server/src/test/data-export.ts';
import { readPdfText } from '@lessonbook/server/src/test/pdf-text.ts';

/** Everything that can be read from an answer: as it stands, and unpacked and decoded where it is packed or coded. */
export async function decodeResponse(headers: IncomingHttpHeaders, body: Buffer): Promise<string> {
  const plain = decompress(headers['content-encoding'], body);
  const texts = [JSON.stringify(headers), ...(await readArchive(plain))];
  const text = texts.join('\n');
  return [text, ...decodeText(text)].join('\n');
}

function decompress(encoding: string | undefined, body: Buffer): Buffer {
  try {
    if (encoding === 'gzip') return gunzipSync(body);
    if (encoding === 'br') return brotliDecompressSync(body);
    if (encoding === 'deflate') return inflateSync(body);
  } catch {
    // A HEAD has the header and no body.
  }
  return body;
}

async function readArchive(body: Buffer): Promise<string[]> {
  const start = body.subarray(0, 5).toString('latin1');
  if (start.startsWith('%PDF')) return [body.toString('latin1'), await readPdfText(body)];
  if (start.startsWith('PK')) return Object.entries(unzipFiles(body)).flat();
  return [body.toString('utf8')];
}

/** In addresses, in JSON inside JSON and in HTML. */
function decodeText(text: string): string[] {
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
export function encodedForms(word: string): string[] {
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
