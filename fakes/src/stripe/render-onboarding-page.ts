import { escapeHtml } from '../shared/page-layout.ts';
import { renderStripePage } from './page-layout.ts';
import type { OnboardingLink } from './state.ts';

export function renderOnboarding(link: OnboardingLink, name: string): string {
  return renderStripePage(
    'Set up payments',
    `<h1>Set up payments</h1>
<p>${escapeHtml(name)}, on the real page you would enter your identity and bank details.</p>
<p class="quiet">Account ${escapeHtml(link.account)}</p>
<form method="post" action="/setup/e/${link.account}/${link.token}">
<button name="action" value="complete">Complete onboarding</button>
<button class="second" name="action" value="leave">Leave incomplete</button>
<button class="second" name="action" value="expire">Let the link expire</button>
</form>`,
  );
}

export function renderUnknownLink(): string {
  return renderStripePage(
    'Unknown link',
    '<h1>Unknown link</h1><p>This link is not valid. Go back and start again.</p>',
  );
}
