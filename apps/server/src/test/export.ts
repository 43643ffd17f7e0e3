import { type Export, ownData } from '@lessonbook/contract/own-data';
import { unzipSync, zipSync } from 'fflate';
import type { Browser } from './browser.ts';
import type { House } from './house.ts';

/** Asks for the file and waits until it is made. */
export async function madeExport(browser: Browser): Promise<Export> {
  const asked = await browser.call(ownData.askForExport);
  if (asked.status !== 202) throw new Error(`${asked.status}: ${asked.error.message}`);
  for (let n = 0; n < 200; n++) {
    const { export: latest } = (await browser.call(ownData.readExport)).body;
    if (latest?.state === 'ready') return latest;
    if (latest?.state === 'failed') throw new Error('the export failed');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the export took too long');
}

/** The files in it, as text, by name. */
export async function openExport(
  house: House,
  browser: Browser,
  id: number,
): Promise<Record<string, string>> {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const answer = await fetch(`${house.url}/api/exports/${id}.zip`, { headers: { cookie } });
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
  return filesIn(new Uint8Array(await answer.arrayBuffer()));
}

export const filesIn = (zip: Uint8Array): Record<string, string> =>
  Object.fromEntries(
    Object.entries(unzipSync(new Uint8Array(zip))).map(([name, bytes]) => [
      name,
      Buffer.from(bytes).toString('utf8'),
    ]),
  );

/** One file, packed without being made smaller: what it says can be found in the bytes. */
export const packedFile = (name: string, text: string): Buffer =>
  Buffer.from(zipSync({ [name]: Buffer.from(text) }, { level: 0 }));
