import { FIRST_VIEW_ID, type PortalInitialData } from '@lessonbook/contract/portal';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { json, mockApi } from '../../test/mock-api.ts';
import { portalLesson, portalLessons, portalLogin } from '../../test/portal-fixtures.ts';
import { renderPortal } from '../../test/render-app.tsx';

/** Renders the page as the server sends it. */
function openPage(view: PortalInitialData) {
  const element = document.createElement('script');
  element.type = 'application/json';
  element.id = FIRST_VIEW_ID;
  element.textContent = JSON.stringify(view);
  document.body.append(element);
  const server = mockApi({
    'DELETE /api/portal/login': () => json(200, {}),
  });
  return { ...renderPortal(), server };
}

const options = { hasWhatsApp: false };

test('lessons that came with the HTML are shown without a request and removed on signing out', async () => {
  const page = portalLessons({ lessons: [portalLesson()] });
  const lessons = { publicId: 'c_ada_1234567', page };
  const { user, server } = openPage({ options, login: portalLogin(), lessons });
  expect(document.getElementById(FIRST_VIEW_ID)).toBeNull();
  expect(await screen.findByText("Maths, at Ada's")).toBeTruthy();
  expect(server.calls).toEqual([]);
  server.handlers['GET /api/portal/browsers'] = () => json(200, []);
  server.handlers['GET /api/portal/login'] = () => json(200, portalLogin());
  await user.click(screen.getByRole('link', { name: 'Details' }));
  await user.click(await screen.findByRole('button', { name: 'Sign out' }));
  expect(await screen.findByLabelText('Email address')).toBeTruthy();
  expect(document.body.textContent).not.toContain('Maya');
});

test('the sign-in page is shown without a request', async () => {
  const { server } = openPage({ options: { hasWhatsApp: true }, login: null, lessons: null });
  expect(screen.getByLabelText('Email address or phone number')).toBeTruthy();
  expect(server.calls).toEqual([]);
});
