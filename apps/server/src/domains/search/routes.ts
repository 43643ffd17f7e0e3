import { search as endpoints } from '@lessonbook/contract/search';
import type { Context } from '../../context.ts';
import type { HttpServer } from '../../platform/http/http-server.ts';
import { search } from './service/search.ts';

export function searchRoutes(http: HttpServer, context: Context): void {
  http.on(endpoints.search, ({ login, query, requestContext }) =>
    search(context, login.tutorId, query.q, requestContext),
  );
}
