import { type DepartureInput, departures } from '@lessonbook/contract/student-departures';
import type { Browser } from './browser-client.ts';

/** Requests the preview and saves it, as the dialog does. Returns the preview. */
export async function markStudentsAsLeft(
  browser: Browser,
  input: Omit<DepartureInput, 'inNotice' | 'portalEndsOn'> & Partial<DepartureInput>,
  drafts = false,
) {
  const body = { portalEndsOn: input.noticeUntil ?? input.lastDate, ...input };
  const preview = await browser.call(departures.previewDeparture, { body });
  if (preview.status !== 200) throw new Error(preview.error.message);
  const { fingerprint } = preview.body;
  const saved = await browser.call(departures.saveDeparture, {
    body: { ...body, fingerprint, drafts },
  });
  if (saved.status !== 201) throw new Error(saved.error.message);
  return preview.body;
}
