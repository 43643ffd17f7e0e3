import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Browser } from './browser-client.ts';

/** Fetches a PDF and returns the text of each page. */
export async function fetchPdfPages(
  url: string,
  browser: Browser,
  path: string,
): Promise<string[]> {
  const response = await fetch(url + path, {
    headers: { cookie: [...browser.cookies].map(([k, v]) => `${k}=${v}`).join('; ') },
  });
  const type = response.headers.get('content-type');
  if (type !== 'application/pdf') throw new Error(`expected a PDF, got ${type}`);
  return extractPages(new Uint8Array(await response.arrayBuffer()));
}

export const readPdfText = async (data: Uint8Array): Promise<string> =>
  (await extractPages(new Uint8Array(data))).join('\n');

async function extractPages(data: Uint8Array): Promise<string[]> {
  const document = await getDocument({ data, useSystemFonts: true, verbosity: 0 }).promise;
  const pages: string[] = [];
  for (let page = 1; page <= document.numPages; page += 1) {
    const { items } = await (await document.getPage(page)).getTextContent();
    pages.push(items.map((item) => ('str' in item ? item.str : '')).join(' '));
  }
  return pages;
}
