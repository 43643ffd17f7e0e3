import { reports } from '@lessonbook/contract/reports';
import type { Context } from '../../context.ts';
import type { Http } from '../../platform/http.ts';
import { readDashboard } from './service/dashboard.ts';

export function reportRoutes(http: Http, context: Context): void {
  http.on(reports.dashboard, ({ login }) => readDashboard(context, login.tutorId));
}
