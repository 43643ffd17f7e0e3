import { dataExport } from '@lessonbook/contract/data-export';
import { imports } from '@lessonbook/contract/import';
import { notifications } from '@lessonbook/contract/notifications';
import { security } from '@lessonbook/contract/security';
import { PASSWORD } from '@lessonbook/server/src/test/create-tutor.ts';
import type { VirtualUser } from '../virtual-users/virtual-user-state.ts';
import { changeStudent } from './students-and-subjects.ts';

export async function importStudents(user: VirtualUser): Promise<void> {
  const markers = [1, 2, 3].map(() => user.newMarker('im'));
  const text = ['Name,Notes', ...markers.map((marker) => `${marker},${marker}`)].join('\n');
  const outcome = await user.client.write(imports.importFile, { body: { kind: 'students', text } });
  if (outcome.status !== 201) user.reportUnexplained('importing students', outcome);
  for (const marker of markers) {
    user.expected.expectMarker('student', marker, outcome.status === 201 ? 1 : 0);
  }
}

export async function readNotifications(user: VirtualUser): Promise<void> {
  if (user.number > 0) return changeStudent(user);
  const outcome = await user.client.write(notifications.markNotificationsRead, { body: {} });
  if (outcome.status !== 200) user.reportUnexplained('marking notifications read', outcome);
}

/** Exports are rate-limited per tutor, so only the first virtual user requests one, and only once. */
export async function requestExport(user: VirtualUser): Promise<void> {
  if (user.number > 0 || user.context.exportRequested) return changeStudent(user);
  // The login may be older than the ten minutes that an export allows.
  await user.client.write(security.reauthenticateWithPassword, { body: { password: PASSWORD } });
  const outcome = await user.client.write(dataExport.requestExport, undefined);
  if (outcome.status !== 202) return user.reportUnexplained('requesting an export', outcome);
  user.context.exportRequested = true;
}
