import { type Dashboard, dashboard } from '@lessonbook/contract/dashboard';
import { addDaysToDate } from '@lessonbook/contract/dates';
import { invoices } from '@lessonbook/contract/invoices';
import type { APIRequestContext } from '@playwright/test';

/** Finds the pages that the flows start on in the demo data, and drafts the outstanding invoices. */
export async function findDemoUrls(
  api: APIRequestContext,
  origin: string,
): Promise<Record<string, string>> {
  const get = async (path: string) => (await api.get(path)).json() as Promise<unknown>;
  const { today, upcoming, incomplete, unpaid } = (await get(
    dashboard.dashboard.path,
  )) as Dashboard;
  const drafted = await api.post(invoices.draftAllInvoices.path, {
    headers: { origin },
    data: { from: addDaysToDate(today, -60), to: today, includeUpcoming: false },
  });
  if (!drafted.ok()) throw new Error(`Drafting the demo's invoices failed: ${drafted.status()}`);
  const families = (await get('/api/families')) as { id: number; students: unknown[] }[];
  const family = families.find(({ students }) => students.length > 1);
  return {
    complete: `/lessons/${incomplete[0]?.lessonId}/complete`,
    'session to complete': `/sessions/${incomplete[0]?.id}`,
    'upcoming session': `/sessions/${upcoming[0]?.id}`,
    'completed session': `/sessions/${unpaid[0]?.session.id}`,
    family: `/families/${family?.id}`,
  };
}
