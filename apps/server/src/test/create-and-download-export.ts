import { dataExport, type Export } from '@lessonbook/contract/data-export';
import { WAIT_TIMEOUT_MS } from '@lessonbook/fakes/shared/test-timeouts';
import { waitUntil } from '@lessonbook/test-env/wait-until';
import { unzipSync, zipSync } from 'fflate';
import type { Browser } from './browser-client.ts';
import type { TestApp } from './test-app.ts';

/** Requests an export and waits until it is ready. */
export async function createExport(browser: Browser): Promise<Export> {
  const requested = await browser.call(dataExport.requestExport);
  if (requested.status !== 202) throw new Error(`${requested.status}: ${requested.error.message}`);
  let latest: Export | null = null;
  await waitUntil(
    async () => {
      latest = (await browser.call(dataExport.latestExport)).body.export;
      if (latest?.state === 'failed') throw new Error('the export failed');
      return latest?.state === 'ready';
    },
    () => 'the export took too long',
    2 * WAIT_TIMEOUT_MS,
  );
  return latest as never;
}

/** The contents of the files in the export, by file name. */
export async function downloadExport(
  app: TestApp,
  browser: Browser,
  id: number,
): Promise<Record<string, string>> {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(`${app.url}/api/exports/${id}.zip`, { headers: { cookie } });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  return unzipFiles(new Uint8Array(await response.arrayBuffer()));
}

export const unzipFiles = (zip: Uint8Array): Record<string, string> =>
  Object.fromEntries(
    Object.entries(unzipSync(new Uint8Array(zip))).map(([name, bytes]) => [
      name,
      Buffer.from(bytes).toString('utf8'),
    ]),
  );

/** A zip that contains one uncompressed file, so that its text can be found in the bytes. */
export const zipFile = (name: string, text: string): Buffer =>
  Buffer.from(zipSync({ [name]: Buffer.from(text) }, { level: 0 }));
