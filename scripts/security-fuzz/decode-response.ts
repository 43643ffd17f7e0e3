import type { IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { unzipFiles } from '@lessonbook/server/src/test/create-and-download-export.ts';
import { readPdfText } from '@lessonbook/server/src/test/pdf-text.ts';

/** The text of a response: headers and body, as sent and with all archives and encodings decoded. */
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
    // A HEAD response has a Content-Encoding header but no body.
  }
  return body;
}

async function readArchive(body: Buffer): Promise<string[]> {
  const start = body.subarray(0, 5).toString('latin1');
  if (start.startsWith('%PDF')) return [body.toString('latin1'), await readPdfText(body)];
  if (start.startsWith('PK')) return Object.entries(unzipFiles(body)).flat();
  return [body.toString('utf8')];
}

/** Decodes URL escapes, JSON escapes and HTML entities. */
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

/** The text in hex, and in base64 at each of the three alignments. */
export function encodedForms(text: string): string[] {
  const cased = [text, text.toUpperCase(), text.charAt(0).toUpperCase() + text.slice(1)];
  return cased.flatMap((each) => [
    Buffer.from(each).toString('hex'),
    ...[0, 1, 2].map((before) => {
      const encoded = Buffer.from('\0'.repeat(before) + each).toString('base64');
      // The characters at both ends also depend on the neighbouring bytes.
      const end = Math.floor(((before + each.length) * 8) / 6);
      return encoded.slice(Math.ceil((before * 8) / 6), end);
    }),
  ]);
}
